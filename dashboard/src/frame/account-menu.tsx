import { Avatar, Menu, Text, UnstyledButton } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { Link } from 'wouter'
import { useTexts } from '../i18n/texts'
import { useSession } from '../session/session'
import { useSignOut } from '../session/sign-out'
import { describeError } from '../components/error-alert'
import { Icon } from '../components/icon'
import { leaveSafely } from '../components/unsaved-changes'
import classes from './frame.module.css'

export function AccountMenu({ onShortcuts }: { onShortcuts: () => void }) {
  const texts = useTexts()
  const { frame } = texts
  const { email, organizationName, role } = useSession()
  const leaving = useSignOut((error) =>
    notifications.show({ message: describeError(error, texts), color: 'red', autoClose: false }),
  )
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
