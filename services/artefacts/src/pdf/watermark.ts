import { InvoiceStatus } from '@einvoicing/proto/invoice'
import { texts } from '@einvoicing/profile/texts'
import { leading, toStrokeColor } from '../text/typesetter'
import type { Sheet } from './sheet'
import { ink, page } from './theme'

interface Mark {
  text: string
  size: number
  color: string
  lineWidth: number
}

// Along the diagonal of an A4 page.
const degrees = -54

/** Call first on a page: later text stays readable on top of it. */
export function drawWatermark(sheet: Sheet): void {
  if (sheet.isTest) drawMarks(sheet, [specimen(ink.specimen)])
}

/** Call last on a page: panels hide the watermark, but not these outlines. */
export function drawOutlines(sheet: Sheet): void {
  const {
    kind,
    invoice: { status },
  } = sheet
  const isRejected = status === InvoiceStatus.REJECTED
  const marks = [
    ...(status === InvoiceStatus.PENDING ? [draft] : []),
    ...(sheet.isVoid
      ? [invalidity(isRejected ? kind.french.rejectedMark : texts.neverSentMark)]
      : []),
    ...(sheet.isTest ? [specimen(ink.specimenOutline)] : []),
  ]
  if (marks.length === 0) return
  drawMarks(sheet, marks, ({ color, lineWidth }) => `1 Tr ${lineWidth} w ${toStrokeColor(color)}\n`)
}

function specimen(color: string): Mark {
  return { text: texts.specimen, size: 40, color, lineWidth: 0.6 }
}

const draft: Mark = { text: texts.draftMark, size: 48, color: ink.draftMark, lineWidth: 1 }

function invalidity(text: string): Mark {
  return { text, size: 118, color: ink.rejectedMark, lineWidth: 2.4 }
}

function drawMarks(sheet: Sheet, marks: Mark[], mode: (mark: Mark) => string = () => ''): void {
  sheet.decorate(() => turnMarks(sheet, marks, mode))
}

function turnMarks(sheet: Sheet, marks: Mark[], mode: (mark: Mark) => string): void {
  const { document, type: set } = sheet
  const center = { x: page.width / 2, y: page.height / 2 }
  document.save().rotate(degrees, { origin: [center.x, center.y] })
  // The specimen is at the same place on any page; a second mark is above it.
  let bottom = center.y + 27
  for (const mark of marks.toReversed()) {
    const { text, size, color } = mark
    const y = bottom - size * leading
    document.addContent(Buffer.from(mode(mark), 'latin1'))
    const box = { x: center.x - page.height / 2, y, width: page.height, align: 'center' } as const
    set.fit(text, { size, weight: 'bold', color }, box)
    bottom = y
  }
  document.restore()
}
