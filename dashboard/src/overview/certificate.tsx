import { dayInMorocco } from '@einvoicing/domain/invoice-dates'
import { Alert, Text } from '@mantine/core'
import type { Overview } from '../api/overview'
import { useFormats } from '../i18n/formats'
import { useTexts } from '../i18n/texts'
import { Icon } from '../components/icon'
import classes from './overview.module.css'

const warnBelowDays = 60

export function Certificate({ certificate }: Pick<Overview, 'certificate'>) {
  const { overview } = useTexts()
  return (
    <section className="panel">
      <h2 className={classes['heading']}>{overview.certificate}</h2>
      {certificate ? (
        <Left certificate={certificate} />
      ) : (
        <Text c="dimmed">{overview.noCertificate}</Text>
      )}
    </section>
  )
}

function Left({ certificate }: { certificate: NonNullable<Overview['certificate']> }) {
  const { overview } = useTexts()
  const formats = useFormats()
  const { daysLeft, notAfter } = certificate
  const date = formats.date(notAfter)
  if (daysLeft < 0) {
    return (
      <Alert color="red" icon={<Icon name="alert" />} title={overview.expired}>
        {overview.wasValidUntil(date)} {overview.renewNow}
      </Alert>
    )
  }
  const today = dayInMorocco(new Date())
  const isTomorrow = daysLeft === 0 && dayInMorocco(new Date(notAfter)) > today
  const left = isTomorrow
    ? overview.expiresTomorrow
    : overview.daysLeft(daysLeft, formats.number(daysLeft))
  const until = overview.validUntil(date)
  if (daysLeft >= warnBelowDays) {
    return (
      <>
        <Text className={classes['figure'] ?? ''}>{left}</Text>
        <Text size="sm" c="dimmed">
          {until}
        </Text>
      </>
    )
  }
  return (
    <Alert color="orange" icon={<Icon name="alert" />} title={left}>
      {until} {overview.renew}
    </Alert>
  )
}
