import { useId, useState, type KeyboardEvent, useCallback, useEffect } from 'react'
import { optionPress } from '../../../lib/page/focus.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useAppSelector, useMe, useUser, useAppDispatch } from '../../../store/hooks.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import { Portrait, presenceOf } from '../../people/index.ts'
import styles from './PeoplePicker.module.css'
import { filterRanked } from '../../../lib/text/lists.ts'
import { loadPeople } from '../commands.ts'

type Props = {
  readonly label: string
  readonly chosen: readonly string[]
  readonly onChange: (ids: readonly string[]) => void
  readonly max?: number
  readonly error?: string
  /** People who are not offered, because they are members already. */
  readonly leaveOut?: ReadonlySet<string>
  /** Text shown when there is no one to offer. */
  readonly unmatched?: string
}

const SHOWN = 6

/** Finds people by name and lists them as chips. Arrows select, Enter adds, Backspace removes the last one. */
export function PeoplePicker({ label, chosen, onChange, max = 100, error, leaveOut = NOBODY, unmatched }: Props) {
  const t = useTexts('sidebar')
  const listId = useId()
  const [query, setQuery] = useState('')
  const [active, setActive] = useState(0)
  const found = useFound(query, chosen, leaveOut)
  const add = (id: string | undefined): void => {
    if (id === undefined || chosen.length >= max) return
    onChange([...chosen, id])
    setQuery('')
    setActive(0)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Backspace' && query === '') onChange(chosen.slice(0, -1))
    else if (event.key === 'ArrowDown') setActive((at) => Math.min(at + 1, found.length - 1))
    else if (event.key === 'ArrowUp') setActive((at) => Math.max(at - 1, 0))
    else if (event.key === 'Enter' && query !== '') add(found[active])
    else return
    if (event.key !== 'Backspace') event.preventDefault()
  }
  return (
    <div className={styles['picker']}>
      {chosen.length === 0 ? null : (
        <ul className={styles['chips']} aria-label={t('picker.chosen')}>
          {chosen.map((id) => (
            <Chip key={id} id={id} onRemove={() => onChange(chosen.filter((other) => other !== id))} />
          ))}
        </ul>
      )}
      <TextField
        label={label}
        value={query}
        error={error}
        icon="search"
        placeholder={t('picker.placeholder')}
        autoComplete="off"
        role="combobox"
        aria-expanded={found.length > 0}
        aria-controls={listId}
        aria-activedescendant={found[active] === undefined ? undefined : `${listId}-${found[active]}`}
        onKeyDown={onKeyDown}
        onChange={(value) => {
          setQuery(value)
          setActive(0)
        }}
      />
      <div className={styles['list']}>
        <div id={listId} role="listbox" aria-label={label}>
          {found.map((id, at) => (
            <Option key={id} id={id} domId={`${listId}-${id}`} isActive={at === active} onAdd={() => add(id)} />
          ))}
        </div>
        {found.length > 0 || (query === '' && chosen.length > 0) ? null : (
          <p className={styles['none']}>
            {query === '' ? (unmatched ?? t('picker.nobody')) : t('picker.none', { query })}
          </p>
        )}
      </div>
    </div>
  )
}

const NOBODY: ReadonlySet<string> = new Set()

function useFound(query: string, chosen: readonly string[], leaveOut: ReadonlySet<string>): readonly string[] {
  const users = useAppSelector((state) => state.entities.users)
  const me = useMe()
  const formats = useFormats()
  const others = Object.values(users)
    .filter((user) => user.id !== me?.id && !chosen.includes(user.id) && !leaveOut.has(user.id) && !user.banned)
    .toSorted((a, b) => formats.compare(a.name, b.name))
  return filterRanked(others, query, (user) => user.name)
    .slice(0, SHOWN)
    .map((user) => user.id)
}

type OptionProps = {
  readonly id: string
  readonly domId: string
  readonly isActive: boolean
  readonly onAdd: () => void
}

function Option({ id, domId, isActive, onAdd }: OptionProps) {
  const user = useUser(id)
  if (user === undefined) return null
  return (
    <div
      id={domId}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      className={styles['option']}
      {...optionPress(onAdd)}
    >
      <Portrait userId={id} size={22} presence={presenceOf(user)} />
      <span>{user.name}</span>
    </div>
  )
}

function Chip({ id, onRemove }: { readonly id: string; readonly onRemove: () => void }) {
  const user = useUser(id)
  const t = useTexts('sidebar')
  const name = user?.name ?? id
  return (
    <li className={styles['chip']}>
      <Portrait userId={id} size={18} />
      {name}
      <button type="button" className={styles['remove']} aria-label={t('picker.remove', { name })} onClick={onRemove}>
        <Icon name="x" size={13} />
      </button>
    </li>
  )
}

/**
 * Loads the people of the workspace once, when a dialog to choose people opens.
 *
 * @returns `alone`: loaded, and there is no one else; `ask` loads again
 */
export function useOthers(): { readonly alone: boolean; readonly ask: () => void } {
  const dispatch = useAppDispatch()
  const me = useMe()?.id
  const hasOthers = useAppSelector((state) => Object.values(state.entities.users).some((user) => user.id !== me))
  const [asked, setAsked] = useState(false)
  const ask = useCallback((): void => {
    void dispatch(loadPeople(undefined)).then(() => setAsked(true))
  }, [dispatch])
  useEffect(ask, [ask])
  return { alone: asked && !hasOthers, ask }
}
