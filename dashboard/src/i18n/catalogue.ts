import type { fr } from './fr'

type Translated<T> = T extends string
  ? string
  : T extends (...values: infer Values) => string
    ? (...values: Values) => string
    : { readonly [Key in keyof T]: Translated<T[Key]> }

export type Catalogue = Translated<typeof fr>
