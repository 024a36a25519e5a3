import { Avatar, Menu, Text, UnstyledButton } from '@mantine/core'
import { Link, useLocation } from 'wouter'
import { useTexts } from '../i18n/texts'
import { useSession, useSessionState } from '../session/session'
import { Icon } from '../components/icon'
import { useSaving } from '../components/saving'
import { leaveSafely } from '../components/unsaved-changes'
import classes from './frame.module.css'

export function AccountMenu({ onShortcuts }: { onShortcuts: () => void }) {
  const { frame } = useTexts()
  const { email, organizationName, role } = useSession()
  const { end } = useSessionState()
  const [, navigate] = useLocation()
  const leaving = useSaving({ save: end, onSaved: () => navigate('/') })
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <UnstyledButton className={classes['account']} aria-label={frame.accountOf(email)}>
          <Avatar size={32} radius="xl" color="indigo">
            <Icon name="account" size={18} />
          </Avatar>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes['whoami']}>
          <Text size="sm" fw={600} truncate>
            {organizationName}
          </Text>
          <Text size="xs" c="dimmed" truncate>
            {email}
          </Text>
          <Text size="xs" c="dimmed">
            {frame.roles[role]}
          </Text>
        </div>
        <Menu.Divider />
        <Menu.Item component={Link} href="/account" leftSection={<Icon name="account" />}>
          {frame.pages.account}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="info" />} onClick={onShortcuts}>
          {frame.shortcuts}
        </Menu.Item>
        <Menu.Item
          leftSection={<Icon name="signOut" />}
          onClick={() => leaveSafely(() => leaving.run(undefined))}
        >
          {frame.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
