import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import type { Findable } from '#shared/domain/roles.ts'
import { useTexts } from '../../i18n/index.ts'
import { useAppDispatch } from '../../store/hooks.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { Popover } from '../../ui/Popover/Popover.tsx'
import { TextField } from '../../ui/Field/TextField.tsx'
import { Portrait } from '../people/index.ts'
import { findIn } from './commands.ts'
import styles from './Roles.module.css'

/** The server is asked after this pause in typing. */
const PAUSE_MS = 200

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
  const [anchor, setAnchor] = useState<Element>()
  const close = (): void => setAnchor(undefined)
  const id = useId()
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
        {chosen === undefined ? null : <Sign what={what} id={chosen.id} />}
        <bdi id={`${id}-value`} className="ellipsis">
          {chosen?.name ?? placeholder}
        </bdi>
        <Icon name="chevron-down" size={15} />
      </button>
      {anchor === undefined ? null : (
        <Popover label={label} anchor={anchor} onClose={close}>
          <Found
            what={what}
            label={label}
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

function Sign({ what, id }: { readonly what: Props['what']; readonly id: string }): ReactNode {
  return what === 'people' ? <Portrait userId={id} size={20} /> : <Icon name="hash" size={16} />
}

/** Arrows move through the names while the focus stays in the field; Enter chooses. */
function Found({ what, label, onChoose }: Pick<Props, 'what' | 'label' | 'onChoose'>) {
  const t = useTexts('roles')
  const listId = useId()
  const field = useRef<HTMLInputElement>(null)
  const [query, setQuery] = useState('')
  const [active, setActive] = useState(0)
  const found = useFound(what, query)
  useEffect(() => field.current?.focus(), [])
  const onKeyDown = (event: KeyboardEvent): void => {
    const chosen = found?.[active]
    if (event.key === 'ArrowDown') setActive((at) => Math.min(at + 1, (found?.length ?? 1) - 1))
    else if (event.key === 'ArrowUp') setActive((at) => Math.max(at - 1, 0))
    else if (event.key === 'Enter' && chosen !== undefined) onChoose(chosen)
    else return
    event.preventDefault()
  }
  return (
    <div className={styles['found']}>
      <TextField
        ref={field}
        label={label}
        labelHidden
        icon="search"
        value={query}
        maxLength={100}
        autoComplete="off"
        role="combobox"
        aria-expanded={(found?.length ?? 0) > 0}
        aria-controls={listId}
        aria-activedescendant={found?.[active] === undefined ? undefined : `${listId}-${active}`}
        onKeyDown={onKeyDown}
        onChange={(value) => {
          setQuery(value)
          setActive(0)
        }}
      />
      <div id={listId} role="listbox" aria-label={label}>
        {found?.map((each, at) => (
          <div
            key={each.id}
            id={`${listId}-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === active}
            className={styles['option']}
            onPointerDown={(event) => {
              event.preventDefault()
              onChoose(each)
            }}
          >
            <Sign what={what} id={each.id} />
            <bdi className="ellipsis">{each.name}</bdi>
          </div>
        ))}
      </div>
      {found === undefined || found.length === 0 ? (
        <p className={styles['quiet']} role="status">
          {found === undefined
            ? t('standing.searching')
            : t(what === 'people' ? 'standing.nobody' : 'standing.nothing')}
        </p>
      ) : null}
    </div>
  )
}

/** `undefined` while the server has not answered; nothing where it cannot be asked. */
function useFound(what: Props['what'], query: string): readonly Findable[] | undefined {
  const dispatch = useAppDispatch()
  const [found, setFound] = useState<readonly Findable[]>()
  useEffect(() => {
    let wanted = true
    const ask = async (): Promise<void> => {
      const loaded = await dispatch(findIn({ what, text: query.trim() }))
      if (wanted) setFound(loaded.ok ? loaded.value : [])
    }
    const timer = setTimeout(() => void ask(), query === '' ? 0 : PAUSE_MS)
    return () => {
      wanted = false
      clearTimeout(timer)
    }
  }, [dispatch, what, query])
  return found
}
