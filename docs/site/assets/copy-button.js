// A button on each sample that copies it, where the browser may: on loopback and over TLS.

if (navigator.clipboard) {
  const { copy, copied } = document.querySelector('main').dataset
  for (const sample of document.querySelectorAll('pre')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = copy
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(sample.querySelector('code').textContent)
      button.textContent = copied
      setTimeout(() => (button.textContent = copy), 1500)
    })
    const frame = document.createElement('div')
    frame.className = 'sample'
    sample.replaceWith(frame)
    frame.append(sample, button)
  }
}
