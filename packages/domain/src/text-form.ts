/** The form of a text, without the blanks at its ends. */
export interface TextForm {
  /** Without anchors; with the flag `u`. */
  pattern: string
  /** The error for a text of another form; it follows the field's name. */
  message: string
}

export function matchesForm(text: string, { pattern }: TextForm): boolean {
  return new RegExp(`^(?:${pattern})$`, 'u').test(text)
}
