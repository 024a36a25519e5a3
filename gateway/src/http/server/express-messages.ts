/**
 * Express gives every request and response another prototype. Objects that have it from the start
 * are left as they are: an object whose prototype changes outlives several collections (decision
 * 0125).
 */

import { IncomingMessage, ServerResponse, type ServerOptions } from 'node:http'
import type { Express } from 'express'
import { holdUntilRead } from '../unread-answers'

export type MessageClasses = Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>

/** The classes for the server whose requests `app` handles. */
export function createMessageClasses(app: Express): MessageClasses {
  class Request extends IncomingMessage {}
  class Response<Message extends IncomingMessage> extends ServerResponse<Message> {
    /** Node emits `prefinish` only once the answers before it on the connection are read. */
    override end(...args: unknown[]): this {
      super.end(...(args as []))
      this.emit('prefinish')
      holdUntilRead(this)
      return this
    }
  }
  app.request = inherit(Request.prototype, app.request)
  app.response = inherit(Response.prototype, app.response)
  return { IncomingMessage: Request, ServerResponse: Response }
}

/** `prototype` itself: Express compares by identity. */
function inherit<Parent extends object>(prototype: object, parent: Parent): Parent {
  return Object.setPrototypeOf(prototype, parent) as Parent
}
