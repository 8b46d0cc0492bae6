/** Data as it is, to be read and copied. */
export const Json = ({ value, label = 'As JSON' }: { value: unknown; label?: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is to be reached by the keyboard
  <section class="json" tabIndex={0} aria-label={label}>
    <pre>{JSON.stringify(value, null, 2)}</pre>
  </section>
)
