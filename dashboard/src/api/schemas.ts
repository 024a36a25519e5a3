import type { components } from '../gen/api'

export type Schemas = components['schemas']
