import { useCallback, useId, useState, type ReactNode } from 'react'
import type { Findable } from '#shared/domain/manage/directory.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { Popover } from '../../../ui/Popover/Popover.tsx'
import { FindList } from '../index.ts'
import { Portrait } from '../../people/index.ts'
import { findIn } from './commands.ts'
import styles from './Roles.module.css'

type Props = {
  readonly what: 'people' | 'channels'
  readonly label: string
  /** Shown while nothing is chosen. */
  readonly placeholder: string
  readonly chosen: Findable | undefined
  readonly onChoose: (found: Findable) => void
}

/** A person or a channel of the whole workspace, found by name. */
export function Finder({ what, label, placeholder, chosen, onChoose }: Props) {
  const t = useTexts('roles')
  const dispatch = useAppDispatch()
  const [anchor, setAnchor] = useState<Element>()
  const id = useId()
  const close = (): void => setAnchor(undefined)
  // Nothing is found where the server cannot be asked.
  const find = useCallback(
    async (text: string) => {
      const found = await dispatch(findIn({ what, text }))
      return found.ok ? found.value : []
    },
    [dispatch, what],
  )
  const sign = (each: string): ReactNode =>
    what === 'people' ? <Portrait userId={each} size={20} /> : <Icon name="hash" size={16} />
  return (
    <div className={styles['choice']}>
      <span id={id}>{label}</span>
      <button
        type="button"
        className={styles['finder']}
        aria-labelledby={`${id} ${id}-value`}
        aria-haspopup="dialog"
        aria-expanded={anchor !== undefined}
        onClick={({ currentTarget }) => setAnchor((open) => (open === undefined ? currentTarget : undefined))}
      >
        {chosen === undefined ? null : sign(chosen.id)}
        <bdi id={`${id}-value`} className="ellipsis">
          {chosen?.name ?? placeholder}
        </bdi>
        <Icon name="chevron-down" size={15} />
      </button>
      {anchor === undefined ? null : (
        <Popover label={label} anchor={anchor} onClose={close}>
          <FindList
            label={label}
            find={find}
            renderSign={sign}
            searching={t('standing.searching')}
            nothing={t(what === 'people' ? 'standing.nobody' : 'standing.nothing')}
            onChoose={(found) => {
              onChoose(found)
              close()
            }}
          />
        </Popover>
      )}
    </div>
  )
}
