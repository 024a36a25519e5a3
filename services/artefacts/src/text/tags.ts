import { CompressedObjects } from './compressed-objects'
import type { PdfDocument, Reference } from './pdf-document'

export type ElementType = 'Document' | 'Sect' | 'H1' | 'P' | 'Table' | 'TR' | 'TH' | 'TD'

interface Content {
  page: Reference
  mcid: number
}

/** Of the structure tree (ISO 32000-1, 14.7). */
export interface Element {
  type: ElementType
  reference: Reference
  kids: (Element | Content)[]
}

/** For screen readers (PDF/UA-1). Draw either in an element or as an artifact, on one page each. */
export class Tags {
  private readonly document: PdfDocument
  private readonly objects: CompressedObjects
  private readonly root: Element
  /** The element of each marked content, by page. */
  private readonly pages = new Map<Reference, Element[]>()
  private current: Element
  private isArtifact = false

  constructor(document: PdfDocument) {
    this.document = document
    this.objects = new CompressedObjects(document)
    this.root = this.create('Document')
    this.current = this.root
  }

  add(type: ElementType, parent = this.current): Element {
    const element = this.create(type)
    parent.kids.push(element)
    return element
  }

  /** Text is drawn into the element itself, or into a paragraph of a section. */
  into<T>(element: Element | undefined, draw: () => T): T {
    if (!element) return draw()
    const before = this.current
    this.current = element
    try {
      return draw()
    } finally {
      this.current = before
    }
  }

  section<T>(draw: () => T): T {
    return this.into(this.add('Sect'), draw)
  }

  /** Screen readers skip it. */
  artifact(draw: () => void, type?: 'Pagination'): void {
    if (this.isArtifact) {
      draw()
      return
    }
    this.isArtifact = true
    this.write(type ? `/Artifact <</Type /${type}>> BDC\n` : '/Artifact BMC\n')
    draw()
    this.write('EMC\n')
    this.isArtifact = false
  }

  text(operators: string): void {
    if (this.isArtifact) {
      this.write(operators)
      return
    }
    const element = textTypes.has(this.current.type) ? this.current : this.add('P')
    const page = this.document.page.dictionary
    const elements = this.pages.get(page) ?? []
    this.pages.set(page, elements)
    const mcid = elements.push(element) - 1
    element.kids.push({ page, mcid })
    this.write(`/${element.type} <</MCID ${mcid}>> BDC\n${operators}EMC\n`)
  }

  /** Call once, after the last drawing. */
  end(): void {
    const tree = this.document.getStructTreeRoot()
    const parents = [...this.pages.entries()].map(([page, elements], key) => {
      Object.assign(page.data, { StructParents: key })
      return `${key} [${elements.map(({ reference }) => String(reference)).join(' ')}]`
    })
    const parentTree = this.document.ref({})
    this.objects.add(parentTree, `<</Nums [${parents.join(' ')}]>>`)
    Object.assign(tree.data, {
      K: [this.root.reference],
      ParentTree: parentTree,
      ParentTreeNextKey: parents.length,
    })
    this.endElement(this.root, tree)
    this.objects.end()
  }

  private create(type: ElementType): Element {
    return { type, reference: this.document.ref({}), kids: [] }
  }

  private endElement({ type, reference, kids }: Element, parent: Reference): void {
    const first = kids.find((kid) => 'page' in kid)
    const written = kids.map((kid) => {
      if ('type' in kid) return String(kid.reference)
      if (kid.page === first?.page) return String(kid.mcid)
      return `<</Type /MCR /Pg ${String(kid.page)} /MCID ${kid.mcid}>>`
    })
    const scope = type === 'TH' ? ' /A <</O /Table /Scope /Column>>' : ''
    const page = first ? ` /Pg ${String(first.page)}` : ''
    this.objects.add(
      reference,
      `<</S /${type} /P ${String(parent)}${scope}${page} /K [${written.join(' ')}]>>`,
    )
    for (const kid of kids) if ('type' in kid) this.endElement(kid, reference)
  }

  private write(operators: string): void {
    this.document.addContent(Buffer.from(operators, 'latin1'))
  }
}

const textTypes = new Set<ElementType>(['H1', 'P', 'TH', 'TD'])
