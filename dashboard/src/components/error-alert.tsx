import { Alert, Anchor, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { ServiceError, Unreachable } from '../api/connection'
import type { Catalogue } from '../i18n/catalogue'
import { useTexts } from '../i18n/texts'
import { Icon } from './icon'
import { TechnicalDetail } from './technical-detail'

export function describeError(error: unknown, { errors, frame }: Catalogue): string {
  if (!(error instanceof ServiceError)) {
    if (!(error instanceof Unreachable)) return frame.unreachable
    if (error.isOffline) return errors.offline
    return error.mayBeSaved ? errors.unanswered : frame.unreachable
  }
  const sentence = errors.byCode[error.code] ?? errors.unknown
  if (error.retryAfter === undefined) return sentence
  return `${sentence} ${errors.retryAfter(Math.ceil(error.retryAfter / 60))}`
}

/** `children`: a link to the remedy, by default that of the error code. */
export function ErrorAlert({ error, children }: { error: unknown; children?: ReactNode }) {
  const texts = useTexts()
  if (error === null || error === undefined) return null
  return (
    <Alert color="red" icon={<Icon name="alert" />} role="alert" variant="light">
      <Text size="sm" fw={500}>
        {describeError(error, texts)}
      </Text>
      {children ?? <Cure error={error} />}
      {error instanceof ServiceError && (
        <TechnicalDetail>
          {error.code}: {error.message}
          {error.fieldErrors.map(({ field, message }) => (
            <div key={field}>{`${field} ${message}`}</div>
          ))}
        </TechnicalDetail>
      )}
    </Alert>
  )
}

function Cure({ error }: { error: unknown }) {
  const { errors, mentions } = useTexts()
  if (!(error instanceof ServiceError)) return null
  if (error.code === 'FORBIDDEN') return <CureLink path="/members" label={errors.toMembers} />
  if (error.code !== 'MISSING_LEGAL_MENTIONS') return null
  const labels: Readonly<Record<string, string>> = mentions.labels
  return (
    <>
      <Text size="sm">
        {error.fieldErrors.map(({ field }) => labels[field] ?? field).join(', ')}
      </Text>
      <CureLink path="/organization" label={errors.toMentions} />
    </>
  )
}

function CureLink({ path, label }: { path: string; label: string }) {
  return (
    <Anchor component={Link} href={path} size="sm">
      {label}
    </Anchor>
  )
}
