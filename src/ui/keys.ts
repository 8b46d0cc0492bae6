/** Returns true for a key in a field or a dialog, or while a dialog is open. Such keys are not shortcuts. */
export const isTyping = ({ target }: Event): boolean =>
  (target instanceof HTMLElement && target.closest('input, select, textarea, dialog') !== null) ||
  document.querySelector('dialog[open]') !== null
