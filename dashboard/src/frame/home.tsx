import { Redirect } from 'wouter'
import { useFirstInvoice } from '../api/invoices'
import { Lines } from '../components/states'

export function Home() {
  const { data: first, isPending } = useFirstInvoice()
  if (isPending) return <Lines count={8} />
  return <Redirect to={first ? '/overview' : '/start'} replace />
}
