// In the container of clearance: empties the stream of invoices, and prints why it cannot.
const { readFileSync } = require('node:fs')
const { connect } = require('@nats-io/transport-node')

async function main() {
  const connection = await connect({
    servers: process.env.NATS_URL,
    user: process.env.NATS_USER,
    pass: readFileSync(process.env.NATS_PASSWORD_FILE, 'utf8').trim(),
    inboxPrefix: '_INBOX_clearance',
  })
  const subject = '$JS.API.STREAM.PURGE.einvoicing-invoice'
  await connection.request(subject, '{}', { timeout: 5_000 }).then(
    () => console.log('done'),
    ({ message }) => console.log(message),
  )
  await connection.close()
}

main()
