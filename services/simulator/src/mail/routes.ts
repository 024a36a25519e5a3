import { Router, type Request } from 'express'
import { verifyPagePolicy } from '../http/verify-page'
import { renderMailPage } from './mail-page'
import { readLatestMails } from './read-mail'

/** Messages contain links that open accounts: shown on this machine alone. */
export function mailRoutes(folder: string | undefined): Router {
  const router = Router()
  router.get('/mail', (request, response, next) => {
    if (folder === undefined || !isOfThisMachine(request)) {
      next()
      return
    }
    readLatestMails(folder)
      .then((mails) => {
        response
          .set({
            'Content-Security-Policy': verifyPagePolicy,
            'Cache-Control': 'no-store',
            'Referrer-Policy': 'no-referrer',
          })
          .type('html')
          .send(renderMailPage(mails, folder))
      })
      .catch(next)
  })
  return router
}

const forwarding = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via']

/** Not one that a proxy of this machine forwards. */
function isOfThisMachine({ socket, headers }: Request): boolean {
  const isLoopback = /^(127\.|::1$|::ffff:127\.)/.test(socket.remoteAddress ?? '')
  const isNamedSo = /^(127\.[\d.]+|localhost|\[::1\])(:\d+)?$/.test(headers.host ?? '')
  return isLoopback && isNamedSo && !forwarding.some((name) => headers[name] !== undefined)
}
