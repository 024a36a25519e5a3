import { Alert, Anchor, Button, Code, Text } from '@mantine/core'
import { originalRejectedCode } from '@einvoicing/domain/creditable'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Invoice } from '../api/invoice'
import { useTexts } from '../i18n/texts'
import { useRights } from '../session/session'
import { Icon } from '../components/icon'
import { TechnicalDetail } from '../components/technical-detail'
import classes from './detail.module.css'

export function DecisionAlert({ invoice }: { invoice: Invoice }) {
  const { credit, invoice: texts } = useTexts()
  if (invoice.status === 'REJECTED') return <Rejected invoice={invoice} />
  if (invoice.status !== 'FAILED') return null
  const { failedTitle } = texts
  const byCode: Readonly<Record<string, { title: string; hint: string }>> = {
    [originalRejectedCode]: { title: credit.neverSentTitle, hint: credit.originalRejected },
    DOCUMENT_UNREADABLE: { title: failedTitle, hint: texts.unreadableHint },
  }
  const usual = { title: failedTitle, hint: texts.failedHint }
  const { title, hint } = byCode[invoice.dgiErrorCode ?? ''] ?? usual
  return (
    <Alert color="orange" icon={<Icon name="alert" />} title={title} variant="light">
      <Text size="sm">{hint}</Text>
      <TechnicalDetail>
        {invoice.dgiErrorCode}: {invoice.dgiErrorMessage}
      </TechnicalDetail>
    </Alert>
  )
}

function Rejected({ invoice }: { invoice: Invoice }) {
  const { invoice: texts, rejections } = useTexts()
  const { canWrite } = useRights()
  const code = invoice.dgiErrorCode ?? ''
  const { means, next } = rejections.byCode[code] ?? rejections.unknown
  return (
    <Alert color="red" icon={<Icon name="cross" />} title={texts.rejectedTitle} variant="light">
      <dl className={classes['decision']}>
        <AuthorityResponse invoice={invoice} />
        <Part label={texts.meaning}>{means}</Part>
        <Part label={texts.next}>
          {next} {texts.nextCopy}
          {code.includes('ISSUER') && (
            <>
              {' '}
              <Anchor component={Link} href="/organization" size="sm">
                {texts.toMentions}
              </Anchor>
            </>
          )}
        </Part>
      </dl>
      {canWrite && (
        <Button
          component={Link}
          href={`/invoices/new?correct=${invoice.id}`}
          leftSection={<Icon name="copy" />}
          size="sm"
        >
          {texts.duplicate}
        </Button>
      )}
    </Alert>
  )
}

function AuthorityResponse({ invoice: { dgiErrorCode, dgiErrorMessage } }: { invoice: Invoice }) {
  const { invoice: texts } = useTexts()
  return (
    <Part label={texts.response}>
      <Code>{dgiErrorCode}</Code> {dgiErrorMessage}
    </Part>
  )
}

function Part({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
