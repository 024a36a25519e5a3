import { Anchor, Group, Text, Title } from '@mantine/core'
import { useTexts } from '../i18n/texts'
import { Icon } from '../components/icon'
import classes from './landing.module.css'

/** For a first visit, beside the sign-in form. */
export function Landing() {
  const { frame } = useTexts()
  return (
    <section className={classes['landing']}>
      <Title order={2} size="h2">
        {frame.landingTitle}
      </Title>
      <Text mt="sm">{frame.landing}</Text>
      <ul className={classes['points']}>
        {Object.values(frame.landingPoints).map((point) => (
          <li key={point}>
            <Icon name="check" />
            <span>{point}</span>
          </li>
        ))}
      </ul>
      <Group gap="lg">
        <Anchor href={frame.guideHref}>{frame.landingGuide}</Anchor>
        <Anchor href={frame.apiHref}>{frame.landingApi}</Anchor>
      </Group>
    </section>
  )
}
