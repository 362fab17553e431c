import { useTexts } from '../../i18n/index.ts'
import { useAppDispatch, useAppSelector } from '../../store/hooks.ts'
import { routeOpened } from '../../store/window/ui.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import styles from './ChannelRow.module.css'

/** Views across channels, with name and icon. */
export const GATHERED = [
  { id: 'catch-up', icon: 'inbox', title: 'catchUp.title' },
  { id: 'mentions', icon: 'at', title: 'mentions.title' },
] as const

type Props = { readonly place: (typeof GATHERED)[number]; readonly tabIndex: 0 | -1 }

/** The row of a view. */
export function ViewRow({ place, tabIndex }: Props) {
  const t = useTexts('unread')
  const dispatch = useAppDispatch()
  const isOpen = useAppSelector((state) => state.ui.route.view === place.id)
  return (
    <button
      type="button"
      role="link"
      className={styles['row']}
      tabIndex={tabIndex}
      data-roving-id={place.id}
      aria-current={isOpen ? 'page' : undefined}
      onClick={() => dispatch(routeOpened({ view: place.id }))}
    >
      <Icon name={place.icon} />
      <span className={styles['name']}>{t(place.title)}</span>
    </button>
  )
}
