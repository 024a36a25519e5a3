// No division, and only one rounding mode: an invoice needs no others.

const plainDecimal = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

export class Decimal {
  static readonly zero = new Decimal(0n, 0)

  readonly unscaled: bigint
  /** Fraction digits, ≥ 0; the number is `unscaled` / 10^scale. */
  readonly scale: number

  private constructor(unscaled: bigint, scale: number) {
    this.unscaled = unscaled
    this.scale = scale
  }

  /** Reads `-12.340` or `1e-7`, exactly. Throws `RangeError` for anything else. */
  static parse(text: string): Decimal {
    const match = plainDecimal.exec(text)
    if (!match) throw new RangeError(`not a decimal number: ${text.slice(0, 40)}`)
    const [, sign, integer = '', fraction = '', exponent = '0'] = match
    if (Math.abs(Number(exponent)) > 400) throw new RangeError(`exponent out of range: ${exponent}`)
    const unscaled = BigInt(`${sign}${integer}${fraction}`)
    const scale = fraction.length - Number(exponent)
    if (scale < 0) return new Decimal(unscaled * 10n ** BigInt(-scale), 0)
    return new Decimal(unscaled, scale).withoutTrailingZeros()
  }

  /** By its shortest text, so that 0.1 is one tenth. Throws `RangeError` when not finite. */
  static fromNumber(value: number): Decimal {
    return Decimal.parse(String(value))
  }

  static fromMinorUnits(minorUnits: number, digits: number): Decimal {
    return new Decimal(BigInt(minorUnits), digits)
  }

  equals(other: Decimal): boolean {
    const scale = Math.max(this.scale, other.scale)
    return this.unscaledAt(scale) === other.unscaledAt(scale)
  }

  isGreaterThan(other: Decimal): boolean {
    const scale = Math.max(this.scale, other.scale)
    return this.unscaledAt(scale) > other.unscaledAt(scale)
  }

  plus(other: Decimal): Decimal {
    const scale = Math.max(this.scale, other.scale)
    return new Decimal(this.unscaledAt(scale) + other.unscaledAt(scale), scale)
  }

  times(other: Decimal): Decimal {
    return new Decimal(this.unscaled * other.unscaled, this.scale + other.scale)
  }

  /** Divides by 10^digits, exactly: a percentage of 20 becomes 0.20. */
  shiftedRight(digits: number): Decimal {
    return new Decimal(this.unscaled, this.scale + digits)
  }

  /** Half up, that is half away from zero (EN 16931 rounding). */
  rounded(digits: number): Decimal {
    if (this.scale <= digits) return new Decimal(this.unscaledAt(digits), digits)
    const divisor = 10n ** BigInt(this.scale - digits)
    const half = divisor / 2n
    const nudged = this.unscaled < 0n ? this.unscaled - half : this.unscaled + half
    return new Decimal(nudged / divisor, digits)
  }

  /** Rounded; a bigint because a product may exceed 2^53. */
  toMinorUnits(digits: number): bigint {
    return this.rounded(digits).unscaled
  }

  get integerDigits(): number {
    const magnitude = this.unscaled < 0n ? -this.unscaled : this.unscaled
    return Math.max(0, magnitude === 0n ? 0 : magnitude.toString().length - this.scale)
  }

  get isZero(): boolean {
    return this.unscaled === 0n
  }

  get isNegative(): boolean {
    return this.unscaled < 0n
  }

  withoutTrailingZeros(): Decimal {
    let { unscaled, scale } = this
    while (scale > 0 && unscaled % 10n === 0n) {
      unscaled /= 10n
      scale -= 1
    }
    return new Decimal(unscaled, scale)
  }

  toString(): string {
    const negative = this.unscaled < 0n
    const digits = (negative ? -this.unscaled : this.unscaled)
      .toString()
      .padStart(this.scale + 1, '0')
    const point = digits.length - this.scale
    const text = this.scale === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`
    return negative ? `-${text}` : text
  }

  private unscaledAt(scale: number): bigint {
    return scale === this.scale ? this.unscaled : this.unscaled * 10n ** BigInt(scale - this.scale)
  }
}
