export interface TextForm {
  /** Without anchors; with the flag `u`. */
  pattern: string
  /** Follows the field's name. */
  message: string
}

export function matchesForm(text: string, { pattern }: TextForm): boolean {
  return new RegExp(`^(?:${pattern})$`, 'u').test(text)
}
