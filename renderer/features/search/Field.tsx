import { useEffect, useId, useState, type KeyboardEvent, type RefObject } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { useAppDispatch, useAppSelector } from '../../store/hooks.ts'
import { searchChanged } from '../../store/window/ui.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { IconButton } from '../../ui/Button/IconButton.tsx'
import { placeName } from './results/place-name.ts'
import { dayOf, lift, typingAt } from './question.ts'
import type { Results } from './results/results.ts'
import { SuggestionList } from './SuggestionList.tsx'
import { useSearchState } from './results/use-results.ts'
import { useSuggestions, type Suggestion } from './use-suggestions.ts'
import styles from './Field.module.css'

type Props = {
  readonly results: Results
  readonly input: RefObject<HTMLInputElement | null>
  /** Arrow Down moves the focus into the results. */
  readonly onDown: () => void
}

/** The query text, with the filter being typed; finished filters become chips below. */
export function Field({ results, input, onDown }: Props) {
  const t = useTexts('search')
  const dispatch = useAppDispatch()
  const listId = useId()
  const searchState = useSearchState()
  const { text, chips, cid, nonce } = searchState
  const name = useAppSelector((state) => (cid === undefined ? '' : placeName(state, cid)))
  const [caret, setCaret] = useState(text.length)
  const [closed, setClosed] = useState(false)
  const [active, setActive] = useState(0)
  const typing = typingAt(text, caret)
  const suggestions = useSuggestions(typing)
  const isOpen = !closed && suggestions.length > 0
  const current = isOpen ? suggestions[Math.min(active, suggestions.length - 1)] : undefined
  useEffect(() => {
    // Returning to the results does not focus the field.
    if (!results.isNewRequest(nonce)) return
    input.current?.focus({ preventScroll: true })
    input.current?.select()
  }, [input, results, nonce])

  const change = (value: string, all = false): void => {
    const { text: rest, chips: lifted } = lift(value, dayOf(Date.now()), all)
    dispatch(searchChanged({ text: rest, ...(lifted.length === 0 ? {} : { chips: [...chips, ...lifted] }) }))
  }
  const take = ({ source }: Suggestion): void => {
    if (typing === undefined) return
    const before = text.slice(0, typing.start)
    dispatch(searchChanged({ text: before + text.slice(caret).trimStart(), chips: [...chips, source] }))
    setCaret(before.length)
    input.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    const { selectionStart, selectionEnd } = event.currentTarget
    const last = chips.at(-1)
    if (current !== undefined && onListKey(event.key)) event.preventDefault()
    else if (event.key === 'ArrowDown') onDown()
    else if (event.key === 'Enter') change(text, true)
    else if (event.key === 'Backspace' && selectionStart === 0 && selectionEnd === 0 && last !== undefined) {
      // Puts the last filter back into the field to be changed.
      dispatch(searchChanged({ text: `${last}${text === '' ? '' : ` ${text}`}`, chips: chips.slice(0, -1) }))
      setCaret(last.length)
    } else return
    event.preventDefault()
  }
  const onListKey = (key: string): boolean => {
    const count = suggestions.length
    if (key === 'ArrowDown') setActive((active + 1) % count)
    else if (key === 'ArrowUp') setActive((active - 1 + count) % count)
    else if ((key === 'Enter' || key === 'Tab') && current !== undefined) take(current)
    else if (key === 'Escape') setClosed(true)
    else return false
    return true
  }
  return (
    <div className={styles['fieldBox']}>
      <div className={styles['field']}>
        <Icon name="search" />
        <input
          ref={input}
          role="combobox"
          type="text"
          aria-label={t('field')}
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={isOpen ? listId : undefined}
          aria-activedescendant={current === undefined ? undefined : `${listId}-${current.id}`}
          autoComplete="off"
          spellCheck={false}
          maxLength={800}
          placeholder={cid === undefined ? t('placeholder') : t('placeholderHere', { name })}
          value={text}
          onKeyDown={onKeyDown}
          onSelect={(event) => setCaret(event.currentTarget.selectionStart ?? 0)}
          onBlur={() => setClosed(true)}
          onChange={(event) => {
            setCaret(event.currentTarget.selectionStart ?? event.currentTarget.value.length)
            setClosed(false)
            setActive(0)
            change(event.currentTarget.value)
          }}
        />
        {text === '' ? null : (
          <IconButton
            icon="x"
            size="tiny"
            label={t('clear')}
            onClick={() => {
              dispatch(searchChanged({ text: '' }))
              input.current?.focus()
            }}
          />
        )}
      </div>
      {isOpen ? (
        <SuggestionList
          id={listId}
          suggestions={suggestions}
          active={current}
          onTake={take}
          onHover={(one) => setActive(suggestions.indexOf(one))}
        />
      ) : null}
    </div>
  )
}
