/** Also without a charset, which is UTF-8 in JSON and XML. */
export function isUtf8MediaType(contentType: string, mediaType: string): boolean {
  const [type = '', ...parameters] = contentType.toLowerCase().split(';')
  if (type.trim() !== mediaType) return false
  return parameters.every((parameter) => {
    const [name = '', value = ''] = parameter.split('=')
    return name.trim() !== 'charset' || /^"?utf-?8"?$/.test(value.trim())
  })
}
