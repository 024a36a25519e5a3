import type { Environment } from '@einvoicing/domain/environment'
import { sendBytes } from '../http/envelope'
import type { Handle, RouteTable } from '../http/route-table'
import { openApiDocument, type OpenApiDocument } from './document'
import { toFrenchDocument } from './french/translate'

/** Made at the first request: most processes get none. */
export function openApiRoutes({ environment }: { environment: Environment }): RouteTable {
  const compose = () => openApiDocument(environment)
  return {
    '/openapi.json': { GET: answerDocument(compose) },
    '/openapi.fr.json': { GET: answerDocument(() => toFrenchDocument(compose())) },
  }
}

function answerDocument(compose: () => OpenApiDocument): Handle {
  let body: string | undefined
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-cache',
  }
  return (_, response) => {
    body ??= JSON.stringify(compose())
    sendBytes(response, { status: 200, headers, body })
  }
}
