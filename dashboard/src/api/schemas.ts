/** The answers of the service by name, as the OpenAPI document tells them. */

import type { components } from '../gen/api'

export type Schemas = components['schemas']
