import { useTexts } from '../../../i18n/index.ts'
import { useRoving } from '../../../lib/page/roving.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { routeOpened } from '../../../store/window/ui.ts'
import styles from '../Settings.module.css'
import type { FoundSetting } from './use-rows.ts'

/** Search results; each opens its page and highlights the row. */
export function FoundList({ found }: { readonly found: readonly FoundSetting[] }) {
  const t = useTexts('settings')
  const p = useTexts('preferences')
  const dispatch = useAppDispatch()
  const ids = found.map(({ section, title }) => `${section} ${title}`)
  const roving = useRoving({ ids })
  const { ref, ...listeners } = roving.containerProps
  return (
    <>
      <p role="status" className={styles['navNote']}>
        {found.length === 0 ? p('find.none') : p('find.found', { count: found.length })}
      </p>
      <ul
        ref={(element) => {
          ref.current = element
        }}
        className={styles['navList']}
        {...listeners}
      >
        {found.map(({ section, title }) => (
          <li key={`${section} ${title}`}>
            <button
              type="button"
              role="link"
              className={styles['navRow']}
              {...roving.itemProps(`${section} ${title}`)}
              onClick={() => dispatch(routeOpened({ view: 'settings', section, row: title }))}
            >
              <span>
                {title}
                <span className={styles['navWhere']}>{t(`${section}.title`)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
