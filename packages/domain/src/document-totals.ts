/** EN 16931 BR-CO-10 to BR-CO-17, in minor units. Every error is reported, by its field. */

import type { FieldError } from './api-error'
import { Decimal } from './decimal'
import { computeLineAmount, computeVat } from './totals'

/** As sent, with the shares that are computed here. */
export interface SentAllowance {
  amount?: string | undefined
  percent?: string | undefined
  vatRate?: number | undefined
  vatCategory?: string | undefined
}

type Sent<Item> = { items: readonly Item[] } | undefined

export interface SentLine {
  quantity: string
  unitPrice: string
  vatRate: number
  vatCategory?: string | undefined
  allowances?: Sent<SentAllowance>
  charges?: Sent<SentAllowance>
}

export interface SentDocument {
  lines: readonly SentLine[]
  allowances?: Sent<SentAllowance>
  charges?: Sent<SentAllowance>
  prepaidAmount?: string | undefined
  stampDuty?: boolean | undefined
  vatWithholdingPercent?: number | undefined
}

export interface Group {
  vatCategory: string
  vatRate: number
}

export interface Share extends Group {
  base: bigint
  amount: bigint
}

export interface LineTotals {
  amountHt: bigint
  allowances: Share[][]
  charges: Share[][]
}

export interface DocumentTotals {
  lines: LineTotals[]
  allowances: Share[][]
  charges: Share[][]
  subtotals: (Group & { taxable: bigint; vat: bigint })[]
  lineTotal: bigint
  allowanceTotal: bigint
  chargeTotal: bigint
  amountHt: bigint
  amountVat: bigint
  amountTtc: bigint
  amountDue: bigint
  stampDutyAmount: bigint
  vatWithheldAmount: bigint
}

export interface Rules {
  digits: number
  toVatCategory(vatRate: number): string
  /** In the order of the breakdown. */
  vatCategories: readonly string[]
  stampDutyPercent: string
}

const allowanceOrCharge = ['allowances', 'charges'] as const

export class DocumentArithmetic {
  readonly errors: FieldError[] = []
  private readonly rules: Rules

  constructor(rules: Rules) {
    this.rules = rules
  }

  /** Ignore the result if there are `errors`. */
  compute(document: SentDocument): DocumentTotals {
    const lines = document.lines.map((line, index) => this.computeLine(line, `lines[${index}]`))
    const nets = this.sumByGroup(document.lines, lines)
    const [allowances, charges] = allowanceOrCharge.map((name) =>
      (document[name]?.items ?? []).map((item, index) =>
        this.shareOut(item, `${name}[${index}]`, nets),
      ),
    ) as [Share[][], Share[][]]
    const subtotals = this.computeSubtotals(nets, allowances.flat(), charges.flat())
    const amountHt = sum(subtotals.map(({ taxable }) => taxable))
    const amountVat = sum(subtotals.map(({ vat }) => vat))
    const amountTtc = amountHt + amountVat
    const amountDue = amountTtc - this.readPrepaid(document, amountTtc)
    const { stampDuty, vatWithholdingPercent } = document
    return {
      lines,
      allowances,
      charges,
      subtotals,
      amountHt,
      amountVat,
      amountTtc,
      amountDue,
      lineTotal: sum(lines.map((line) => line.amountHt)),
      allowanceTotal: sumShares(allowances.flat()),
      chargeTotal: sumShares(charges.flat()),
      stampDutyAmount: stampDuty ? computePercent(amountDue, this.rules.stampDutyPercent) : 0n,
      vatWithheldAmount: computePercent(amountVat, String(vatWithholdingPercent ?? 0)),
    }
  }

  private computeLine(line: SentLine, field: string): LineTotals {
    const { digits } = this.rules
    const gross = computeLineAmount(
      Decimal.parse(line.quantity),
      Decimal.parse(line.unitPrice),
      digits,
    )
    if (!line.allowances && !line.charges) return { amountHt: gross, allowances: [], charges: [] }
    const [allowances, charges] = allowanceOrCharge.map((name) =>
      (line[name]?.items ?? []).map((item, index): Share[] => {
        const amount = this.readAmount(item, gross, `${field}.${name}[${index}]`)
        return [{ vatCategory: '', vatRate: 0, base: gross, amount }]
      }),
    ) as [Share[][], Share[][]]
    const amountHt = gross - sumShares(allowances.flat()) + sumShares(charges.flat())
    if (amountHt < 0n) {
      const message = `must not exceed the amount of the line, ${this.format(gross)}`
      this.errors.push({ field: `${field}.allowances`, message })
    }
    return { amountHt, allowances, charges }
  }

  private sumByGroup(sent: readonly SentLine[], lines: readonly LineTotals[]) {
    const nets = new Map<string, Share>()
    sent.forEach(({ vatRate, vatCategory }, index) => {
      const group = { vatRate, vatCategory: vatCategory ?? this.rules.toVatCategory(vatRate) }
      const before = nets.get(toKey(group))?.amount ?? 0n
      const amount = before + (lines[index]?.amountHt ?? 0n)
      nets.set(toKey(group), { base: 0n, amount, ...group })
    })
    return nets
  }

  private shareOut(item: SentAllowance, field: string, nets: ReadonlyMap<string, Share>): Share[] {
    const { vatRate, vatCategory, percent } = item
    const groups = [...nets.values()].filter(
      (group) =>
        (vatRate === undefined || group.vatRate === vatRate) &&
        (vatCategory === undefined || group.vatCategory === vatCategory),
    )
    if (groups.length === 0) {
      const hasRate = [...nets.values()].some((group) => group.vatRate === vatRate)
      const name = vatRate === undefined || hasRate ? 'vatCategory' : 'vatRate'
      const wanted = hasRate ? `${vatCategory} at ${vatRate} %` : item[name]
      const message = `must be that of a line; no line has ${wanted}`
      this.errors.push({ field: `${field}.${name}`, message })
      return []
    }
    if (groups.length > 1 && (percent === undefined || vatRate !== undefined)) {
      const name = vatRate === undefined ? 'vatRate' : 'vatCategory'
      const found = groups.map((group) => group[name]).join(', ')
      this.errors.push({
        field: `${field}.${name}`,
        message: `is required: the lines have ${found}`,
      })
      return []
    }
    return groups.map(({ amount: base, ...group }) =>
      Object.assign(group, { base, amount: this.readAmount(item, base, field) }),
    )
  }

  private readAmount({ amount, percent }: SentAllowance, base: bigint, field: string): bigint {
    if (percent !== undefined) return computePercent(base, percent)
    return this.readExact(amount ?? '0', `${field}.amount`)
  }

  private readPrepaid({ prepaidAmount }: SentDocument, amountTtc: bigint): bigint {
    if (prepaidAmount === undefined) return 0n
    const prepaid = this.readExact(prepaidAmount, 'prepaidAmount')
    if (prepaid > amountTtc) {
      const message = `must not exceed the total including VAT, ${this.format(amountTtc)}`
      this.errors.push({ field: 'prepaidAmount', message })
    }
    return prepaid
  }

  private readExact(text: string, field: string): bigint {
    const amount = Decimal.parse(text).withoutTrailingZeros()
    const { digits } = this.rules
    if (amount.scale > digits) {
      const message = `must have at most ${digits} digits after the decimal point, as the currency has`
      this.errors.push({ field, message })
    }
    return amount.toMinorUnits(digits)
  }

  private computeSubtotals(
    nets: ReadonlyMap<string, Share>,
    allowances: readonly Share[],
    charges: readonly Share[],
  ) {
    const ofGroup = (shares: readonly Share[], key: string) =>
      sumShares(shares.filter((share) => toKey(share) === key))
    const rank = ({ vatCategory }: Group) => this.rules.vatCategories.indexOf(vatCategory)
    const groups = [...nets].map(([key, { vatCategory, vatRate, amount }]) => {
      const taxable = amount - ofGroup(allowances, key) + ofGroup(charges, key)
      // A negative line has an error of its own.
      if (taxable < 0n && amount >= 0n) {
        const message = `must not exceed the lines: VAT ${vatRate} %, ${this.format(amount)}`
        this.errors.push({ field: 'allowances', message })
      }
      return { vatCategory, vatRate, taxable, vat: computeVat(taxable, vatRate) }
    })
    return groups.sort((a, b) => b.vatRate - a.vatRate || rank(a) - rank(b))
  }

  private format(amount: bigint): string {
    return Decimal.parse(String(amount)).shiftedRight(this.rules.digits).toString()
  }
}

const toKey = ({ vatCategory, vatRate }: Group): string => `${vatCategory} ${vatRate}`

/** Rounded half up. */
function computePercent(base: bigint, percent: string): bigint {
  if (base <= 0n) return 0n
  return Decimal.parse(String(base)).times(Decimal.parse(percent)).shiftedRight(2).toMinorUnits(0)
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n)
}

const sumShares = (shares: readonly Share[]): bigint => sum(shares.map(({ amount }) => amount))
