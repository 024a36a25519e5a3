/** The chosen file is digested in the page, and sent nowhere. */
export const script = `(() => {
  const input = document.getElementById('file')
  const result = document.getElementById('result')
  const { sha256, same, pdf, other, unreadable, unable, busy } = input.dataset
  const sizeMax = 64 * 1024 * 1024
  let latest
  const show = (kind, text) => {
    result.className = kind
    result.textContent = text
  }
  const compare = async (file) => {
    if (!globalThis.crypto?.subtle) return ['warning', unable]
    if (file.size > sizeMax) return ['wrong', other]
    const bytes = await file.arrayBuffer()
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
    const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
    if (hex === sha256) return ['right', same]
    const start = new TextDecoder('latin1').decode(bytes.slice(0, 5))
    return start === '%PDF-' ? ['warning', pdf] : ['wrong', other]
  }
  input.disabled = false
  input.addEventListener('change', async () => {
    const [file] = input.files
    latest = file
    if (!file) return show('', '')
    show('', busy)
    const found = await compare(file).catch(() => ['wrong', unreadable])
    if (latest === file) show(...found)
  })
})()`
