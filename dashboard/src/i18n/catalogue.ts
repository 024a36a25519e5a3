/**
 * What every language has to say: the French catalogue's shape. A text that another language lacks,
 * or has too much, does not compile.
 */

import type { fr } from './fr'

type Said<T> = T extends string
  ? string
  : T extends (...values: infer Values) => string
    ? (...values: Values) => string
    : { readonly [Key in keyof T]: Said<T[Key]> }

export type Catalogue = Said<typeof fr>
