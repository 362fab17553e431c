import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { createPortal } from 'react-dom'
import { useTexts } from '../../i18n/index.ts'
import { announce } from '../../lib/announce.ts'
import { useReturnFocus } from '../../lib/focus.ts'
import { useAppDispatch } from '../../store/hooks.ts'
import { dialogClosed, routeOpened } from '../../store/ui.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Keys } from '../../ui/Keys.tsx'
import { openDirect } from './commands.ts'
import { SwitcherOption } from './SwitcherOption.tsx'
import { useSwitcherItems, type SwitcherItem } from './use-switcher-items.ts'
import styles from './Switcher.module.css'

/** What the switcher offers beside places: an action of the registry, by words. */
export type SwitcherAction = {
  readonly id: string
  readonly label: string
  readonly keys: readonly string[]
  readonly run: () => void
}

/** Ctrl K: types a few letters and goes there. `#` channels only, `@` people only, `>` actions only. */
export function Switcher({ actions }: { readonly actions: readonly SwitcherAction[] }) {
  const t = useTexts('sidebar')
  const dispatch = useAppDispatch()
  const listId = useId()
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [query, setQuery] = useState('')
  const [active, setActive] = useState(0)
  const groups = useSwitcherItems(query, actions)
  const items = groups.flatMap((group) => group.items)
  const current = items[Math.min(active, items.length - 1)]
  useReturnFocus()
  useEffect(() => input.current?.focus(), [])
  useEffect(() => {
    if (query === '') return undefined
    const timer = setTimeout(() => announce(t('switcher.found', { count: items.length })), 500)
    return () => clearTimeout(timer)
  }, [query, items.length, t])
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  })

  const close = (): void => void dispatch(dialogClosed())
  const open = (item: SwitcherItem | undefined): void => {
    if (item === undefined) return
    close()
    if (item.kind === 'channel') dispatch(routeOpened({ view: 'channel', cid: item.cid }))
    else if (item.kind === 'action') item.run()
    else
      void dispatch(openDirect({ userIds: [item.userId] })).then(
        (opened) => opened.ok && dispatch(routeOpened({ view: 'channel', cid: opened.value })),
      )
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') setActive((at) => (at + 1) % Math.max(items.length, 1))
    else if (event.key === 'ArrowUp') setActive((at) => (at - 1 + items.length) % Math.max(items.length, 1))
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) open(current)
    else if (event.key === 'Escape') close()
    else if (event.key !== 'Tab') return
    event.preventDefault()
    event.stopPropagation()
  }
  return createPortal(
    <div
      role="presentation"
      className={styles['scrim']}
      onPointerDown={(event) => event.target === event.currentTarget && close()}
    >
      <div
        role="dialog"
        aria-modal="true"
        aria-label={t('switcher.title')}
        data-returns-focus=""
        className={styles['switcher']}
      >
        <div className={styles['field']}>
          <Icon name="search" size={20} />
          <input
            ref={input}
            role="combobox"
            aria-label={t('search')}
            aria-expanded
            aria-controls={listId}
            aria-activedescendant={current === undefined ? undefined : `${listId}-${current.id}`}
            autoComplete="off"
            spellCheck={false}
            placeholder={t('search')}
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
                  onOpen={() => open(item)}
                  onHover={() => setActive(items.indexOf(item))}
                />
              ))}
            </div>
          ))}
          {items.length === 0 ? <p className={styles['none']}>{t('switcher.none', { query })}</p> : null}
        </div>
        <Foot />
      </div>
    </div>,
    document.body,
  )
}

function Foot() {
  const t = useTexts('sidebar')
  return (
    <div className={styles['foot']} aria-hidden="true">
      <span>
        <Keys keys={['↑', '↓']} /> {t('switcher.move')}
      </span>
      <span>
        <Keys keys={['↵']} /> {t('switcher.open')}
      </span>
      <span className={styles['grow']} />
      <span># {t('switcher.hintChannels')}</span>
      <span>@ {t('switcher.hintPeople')}</span>
      <span>&gt; {t('switcher.hintActions')}</span>
    </div>
  )
}
