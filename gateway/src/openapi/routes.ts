import type { Environment } from '@einvoicing/domain/environment'
import { sendBytes } from '../http/envelope'
import type { Handle, RouteTable } from '../http/route-table'
import { openApiDocument, type OpenApiDocument } from './document'
import { toFrenchDocument } from './french/translate'

export function openApiRoutes({ environment }: { environment: Environment }): RouteTable {
  const document = openApiDocument(environment)
  return {
    '/openapi.json': { GET: answerDocument(document) },
    '/openapi.fr.json': { GET: answerDocument(toFrenchDocument(document)) },
  }
}

function answerDocument(document: OpenApiDocument): Handle {
  const body = JSON.stringify(document)
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-cache',
  }
  return (_, response) => sendBytes(response, { status: 200, headers, body })
}
