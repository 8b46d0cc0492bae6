/** Keys in a field, or while a dialog is open, are not shortcuts. */
export const isTyping = ({ target }: Event): boolean =>
  (target instanceof HTMLElement && target.closest('input, select, textarea, dialog') !== null) ||
  document.querySelector('dialog[open]') !== null
