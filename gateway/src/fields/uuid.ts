export const uuidPattern =
  '^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$'

const form = new RegExp(uuidPattern)

export function isUuid(text: string): boolean {
  return form.test(text)
}
