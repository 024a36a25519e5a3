// Finds sections of the guide that hold every word, in the index of the page's language.

const form = document.querySelector('form.search')
const input = form.querySelector('input')
const status = form.querySelector('p')
const list = form.querySelector('ol')
const resultsMax = 12
let index

form.hidden = false
form.addEventListener('submit', (event) => event.preventDefault())
input.addEventListener('focus', () => void loadIndex())
input.addEventListener('input', () => void search())

// Accents are left out, so that « reference » finds « référence ».
const plain = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

async function loadIndex() {
  index ??= window
    .fetch(form.dataset.index)
    .then((answer) => answer.json())
    .then((sections) =>
      sections.map((section) => {
        const heading = plain(section.titles.at(-1))
        return { ...section, heading, all: plain([...section.titles, section.text].join(' ')) }
      }),
    )
  return index
}

async function search() {
  const sought = plain(input.value).split(/\s+/).filter(Boolean)
  const sections = await loadIndex()
  const isTyped = sought.length > 0 && plain(input.value).trim().length > 1
  const found = isTyped
    ? sections.filter(({ all }) => sought.every((word) => all.includes(word)))
    : []
  const inHeading = ({ heading }) => sought.every((word) => heading.includes(word))
  found.sort((a, b) => inHeading(b) - inHeading(a))
  list.replaceChildren(...found.slice(0, resultsMax).map(toItem))
  status.textContent = isTyped ? report(found.length) : ''
}

function report(count) {
  return count === 0 ? form.dataset.nothing : form.dataset.found.replace('{count}', count)
}

function toItem({ path, titles }) {
  const item = document.createElement('li')
  const link = document.createElement('a')
  link.href = path
  link.textContent = titles.join(' › ')
  item.append(link)
  return item
}
