import { Link, useLocation } from 'wouter'
import { useTexts } from '../i18n/texts'
import { Icon } from '../components/icon'
import classes from './frame.module.css'
import { navigation } from './navigation-items'

export function Navigation({ onLeave }: { onLeave?: () => void }) {
  const { frame } = useTexts()
  const [location] = useLocation()
  const isAt = (path: string) => location === path || location.startsWith(`${path}/`)
  return (
    <nav aria-label={frame.navigation} className={classes['nav']}>
      <ul>
        {navigation.map(({ path, name, icon }) => (
          <li key={path}>
            <Link
              href={path}
              className={classes['link'] ?? ''}
              aria-current={isAt(path) ? 'page' : undefined}
              onClick={() => onLeave?.()}
            >
              <Icon name={icon} size={18} />
              {frame.pages[name]}
            </Link>
          </li>
        ))}
      </ul>
      <ul className={classes['docs']}>
        <li>
          <a href={frame.guideHref} className={classes['link']}>
            <Icon name="info" size={18} />
            {frame.guide}
          </a>
        </li>
        <li>
          <a href={frame.apiHref} className={classes['link']}>
            <Icon name="document" size={18} />
            {frame.documentation}
          </a>
        </li>
      </ul>
    </nav>
  )
}
