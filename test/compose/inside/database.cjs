// In the container of organizations: reads and writes invoices, and prints why it cannot.
const { readFileSync } = require('node:fs')
const { URL } = require('node:url')
const { MongoClient } = require('mongoose').mongo

async function main() {
  const url = new URL(process.env.MONGODB_URL)
  url.password = readFileSync(process.env.MONGODB_PASSWORD_FILE, 'utf8').trim()
  const client = await MongoClient.connect(url.href)
  const outcome = (work) =>
    work.then(
      () => 'done',
      ({ codeName }) => codeName,
    )
  const invoices = client.db('invoices').collection('invoices')
  console.log(
    await outcome(client.db('organizations').collection('organizations').findOne()),
    await outcome(invoices.findOne()),
    await outcome(invoices.insertOne({})),
    await outcome(client.db('admin').command({ usersInfo: 1 })),
  )
  await client.close()
}

main()
