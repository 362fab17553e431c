import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { announce } from '../../lib/page/announce.ts'
import { keysOf } from '../../lib/text/chords.ts'
import { openTargetOf, type OpenTarget } from '../../lib/open-target.ts'
import { useAppDispatch, useHost } from '../../store/hooks.ts'
import { dialogClosed, searchOpened } from '../../store/window/ui.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { Keys } from '../../ui/Keys/Keys.tsx'
import { Modal } from '../../ui/Modal/Modal.tsx'
import { early, takeEarlyInput } from './Waiting.tsx'
import { SwitcherOption } from './SwitcherOption.tsx'
import { useAppActions } from './use-app-actions.ts'
import { useSwitcherItems, type SwitcherAction, type SwitcherGroup, type SwitcherItem } from './use-items.ts'
import { commandFailed } from '../../store/command.ts'
import { openDirect } from '../sidebar/index.ts'
import { openSaved } from '../search/index.ts'
import { openChannel } from '../windows/index.ts'
import styles from './Switcher.module.css'

const PAGE = 8

/** The quick switcher (Ctrl+K). Prefixes: `#` channels only, `@` people only, `>` actions only, `/` messages. */
export function Switcher({ actions }: { readonly actions: readonly SwitcherAction[] }) {
  const t = useTexts('search')
  const sidebar = useTexts('sidebar')
  const listId = useId()
  const input = useRef<HTMLInputElement>(null)
  const [opener] = useState(() => early.opener ?? document.activeElement)
  const [query, setQuery] = useState('')
  const [active, setActive] = useState(0)
  const more = useAppActions()
  const groups = useSwitcherItems(query, [...actions, ...more])
  const items = useMemo(() => groups.flatMap((group) => group.items), [groups])
  const current = items[Math.min(active, items.length - 1)]
  const dispatch = useAppDispatch()
  const { os } = useHost()
  const open = useOpenItem(opener)
  useCount(query, items.length)
  // On commit, not on render: letters typed between the two are still in the placeholder's field.
  useLayoutEffect(() => takeEarlyInput(setQuery), [])

  const close = (): void => void dispatch(dialogClosed())
  const onKeyDown = (event: KeyboardEvent): void => {
    const last = items.length - 1
    const to = (index: number): void => setActive(Math.max(0, index))
    if (event.key === 'ArrowDown') to(active >= last ? 0 : active + 1)
    else if (event.key === 'ArrowUp') to(active <= 0 ? last : active - 1)
    else if (event.key === 'PageDown') to(Math.min(last, active + PAGE))
    else if (event.key === 'PageUp') to(active - PAGE)
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) open(current, openTargetOf(event, os))
    else if (event.key === 'Escape') close()
    else if (event.key !== 'Tab') return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <Modal
      aria-label={t('switcher.title')}
      className={styles['scrim']}
      firstFocus={() => input.current}
      onClose={close}
    >
      <div className={styles['switcher']}>
        <div className={styles['field']}>
          <Icon name="search" size={20} />
          <input
            ref={input}
            role="combobox"
            aria-label={sidebar('search')}
            aria-expanded
            aria-autocomplete="list"
            aria-controls={listId}
            aria-activedescendant={current === undefined ? undefined : `${listId}-${current.id}`}
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            placeholder={sidebar('search')}
            value={query}
            onKeyDown={onKeyDown}
            onChange={(event) => {
              setQuery(event.currentTarget.value)
              setActive(0)
            }}
          />
          <span aria-hidden="true">
            <Keys keys={['Esc']} />
          </span>
        </div>
        <Options
          {...{ listId, groups, query, current, opener }}
          onOpen={open}
          onHover={(item) => setActive(items.indexOf(item))}
        />
        <Foot />
      </div>
    </Modal>
  )
}

type OptionsProps = {
  readonly listId: string
  readonly groups: readonly SwitcherGroup[]
  readonly query: string
  readonly current: SwitcherItem | undefined
  readonly opener: Element | null
  readonly onOpen: (item: SwitcherItem, target: OpenTarget) => void
  readonly onHover: (item: SwitcherItem) => void
}

function Options({ listId, groups, query, current, opener, onOpen, onHover }: OptionsProps) {
  const t = useTexts('search')
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  })
  return (
    <>
      <div ref={list} id={listId} role="listbox" aria-label={t('switcher.title')} className={styles['list']}>
        {groups.map((group) => (
          <div key={group.name} role="group" aria-label={t(`switcher.${group.name}`)}>
            <div className={styles['head']} aria-hidden="true">
              {t(`switcher.${group.name}`)}
            </div>
            {group.items.map((item) => (
              <SwitcherOption
                key={item.id}
                item={item}
                domId={`${listId}-${item.id}`}
                query={query}
                isActive={item === current}
                isReady={isReady(item, opener)}
                onOpen={(target) => onOpen(item, target)}
                onHover={() => onHover(item)}
              />
            ))}
          </div>
        ))}
      </div>
      {groups.length === 0 ? <p className={styles['none']}>{t('switcher.none', { query })}</p> : null}
    </>
  )
}

const SETTLED_MS = 500

/** Announces the number of results after typing has stopped. */
function useCount(query: string, count: number): void {
  const t = useTexts('search')
  useEffect(() => {
    if (query === '') return undefined
    const timer = setTimeout(() => announce(t('switcher.found', { count })), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [query, count, t])
}

function Foot() {
  const t = useTexts('search')
  const windows = useTexts('windows')
  const { os } = useHost()
  return (
    <div className={styles['foot']} aria-hidden="true">
      <span>
        <Keys keys={['↑', '↓']} /> {t('switcher.move')}
      </span>
      <span>
        <Keys keys={['↵']} /> {t('switcher.open')}
      </span>
      <span>
        <Keys keys={[...keysOf('Alt', os), '↵']} /> {windows('switcher.beside')}
      </span>
      <span>
        <Keys keys={[...keysOf('Mod', os), '↵']} /> {windows('switcher.window')}
      </span>
      <span className={styles['grow']} />
      <span># {t('switcher.hintChannels')}</span>
      <span>@ {t('switcher.hintPeople')}</span>
      <span>&gt; {t('switcher.hintActions')}</span>
      <span>/ {t('switcher.hintMessages')}</span>
    </div>
  )
}

const PLACES = { message: '[data-message-id]', composer: '[data-composer]' } as const

/** Whether an item can be opened now: actions on a message need the focus to have been on one. */
function isReady(item: SwitcherItem, opener: Element | null): boolean {
  if (item.kind !== 'action' || item.action.run !== undefined) return true
  const { press, place } = item.action
  return press !== undefined && place !== undefined && opener?.matches(PLACES[place]) === true
}

/** Closes the switcher and opens the place or runs the action. A failure to open a direct conversation raises a notice. */
function useOpenItem(opener: Element | null): (item: SwitcherItem | undefined, target?: OpenTarget) => void {
  const dispatch = useAppDispatch()
  return (item, target = 'here') => {
    if (item === undefined || !isReady(item, opener)) return
    dispatch(dialogClosed())
    switch (item.kind) {
      case 'channel':
        dispatch(openChannel(item.cid, target))
        return
      case 'search':
        dispatch(searchOpened({ text: item.text }))
        return
      case 'saved':
        dispatch(openSaved(item.search))
        return
      case 'person':
        void dispatch(openDirect({ userIds: [item.userId] })).then((opened) =>
          opened.ok
            ? dispatch(openChannel(opened.value, target))
            : dispatch(commandFailed({ type: 'channels/directOpened', error: opened.error })),
        )
        return
      case 'action':
        if (item.action.run !== undefined) item.action.run()
        else if (item.action.press !== undefined) pressOn(opener, item.action.press)
    }
  }
}

/** Focuses the element that had the focus before, and dispatches the key press to it. */
function pressOn(opener: Element | null, press: KeyboardEventInit): void {
  requestAnimationFrame(() => {
    if (!(opener instanceof HTMLElement) || !opener.isConnected) return
    opener.focus({ preventScroll: true })
    opener.dispatchEvent(new KeyboardEvent('keydown', { ...press, bubbles: true, cancelable: true }))
  })
}
