/**
 * Express gives every request and response another prototype. Objects that have it from the start
 * are left as they are: an object whose prototype changes outlives several collections (decision
 * 0125).
 */

import { IncomingMessage, ServerResponse, type ServerOptions } from 'node:http'
import type { Express } from 'express'

export type MessageClasses = Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>

/** The classes for the server whose requests `app` handles. */
export function createMessageClasses(app: Express): MessageClasses {
  class Request extends IncomingMessage {}
  class Response<Message extends IncomingMessage> extends ServerResponse<Message> {}
  app.request = inherit(Request.prototype, app.request)
  app.response = inherit(Response.prototype, app.response)
  return { IncomingMessage: Request, ServerResponse: Response }
}

/** `prototype` itself: Express compares by identity. */
function inherit<Parent extends object>(prototype: object, parent: Parent): Parent {
  return Object.setPrototypeOf(prototype, parent) as Parent
}
