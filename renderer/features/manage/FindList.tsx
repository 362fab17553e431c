import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { optionPress } from '../../lib/page/focus.ts'
import { TextField } from '../../ui/Field/TextField.tsx'
import styles from './Manage.module.css'

/** Something that can be found by its name. */
export type Found = { readonly id: string; readonly name: string }

/** It is asked after this pause in typing: it may be the server that answers. */
const PAUSE_MS = 200

type Props = {
  readonly label: string
  /** Must not change between renders. */
  readonly find: (text: string) => readonly Found[] | Promise<readonly Found[]>
  readonly renderSign: (id: string) => ReactNode
  readonly searching: string
  readonly nothing: string
  readonly onChoose: (found: Found) => void
}

/** A field with what it finds below it. Arrows move while the focus stays in the field; Enter chooses. */
export function FindList({ label, find, renderSign, searching, nothing, onChoose }: Props) {
  const listId = useId()
  const field = useRef<HTMLInputElement>(null)
  const [query, setQuery] = useState('')
  const [active, setActive] = useState(0)
  const answer = useFound(find, query)
  const found = answer?.found
  useEffect(() => field.current?.focus(), [])
  const onKeyDown = (event: KeyboardEvent): void => {
    const chosen = found?.[active]
    if (event.key === 'ArrowDown') setActive((at) => Math.min(at + 1, (found?.length ?? 1) - 1))
    else if (event.key === 'ArrowUp') setActive((at) => Math.max(at - 1, 0))
    else if (event.key !== 'Enter' || chosen === undefined) return
    // What is shown may have been found for what was typed before.
    else if (answer?.of === query) onChoose(chosen)
    event.preventDefault()
  }
  return (
    <div className={styles['finding']}>
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
      <div id={listId} role="listbox" aria-label={label} className={styles['found']}>
        {found?.map((each, at) => (
          <div
            key={each.id}
            id={`${listId}-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === active}
            className={styles['option']}
            {...optionPress(() => onChoose(each))}
          >
            {renderSign(each.id)}
            <bdi className="ellipsis">{each.name}</bdi>
          </div>
        ))}
      </div>
      {found === undefined || found.length === 0 ? (
        <p className={styles['quiet']} role="status">
          {found === undefined ? searching : nothing}
        </p>
      ) : null}
    </div>
  )
}

/** The last answer with what it is to; `undefined` until there is one. */
function useFound(find: Props['find'], query: string) {
  const [answer, setAnswer] = useState<{ readonly of: string; readonly found: readonly Found[] }>()
  useEffect(() => {
    let wanted = true
    const ask = async (): Promise<void> => {
      const found = await find(query.trim())
      if (wanted) setAnswer({ of: query, found })
    }
    const timer = setTimeout(() => void ask(), query === '' ? 0 : PAUSE_MS)
    return () => {
      wanted = false
      clearTimeout(timer)
    }
  }, [find, query])
  return answer
}
