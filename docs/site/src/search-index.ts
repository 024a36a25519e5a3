import { readSections } from './markdown'

/** What stands under one heading. */
export interface Section {
  path: string
  /** Of the page, and of the section where it is not the first. */
  titles: string[]
  text: string
}

export function indexPage(markdown: string, path: string): Section[] {
  const sections = readSections(markdown)
  const [page] = sections
  return sections.map(({ name, title, text }, i) => ({
    path: i === 0 ? path : `${path}#${name}`,
    titles: i === 0 || !page ? [title] : [page.title, title],
    text,
  }))
}
