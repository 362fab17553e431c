import { useRef, useState, type KeyboardEvent, Fragment } from 'react'
import {
  INTEGRATION_KINDS,
  type Integration,
  type IntegrationKind,
  FAILING_AFTER,
} from '#shared/domain/manage/integrations.ts'
import { useTexts } from '../../../i18n/index.ts'
import { cx } from '../../../lib/cx.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useBreakpoint } from '../../../lib/page/environment.ts'
import { useAppDispatch, useConnection, useSession } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { useMenu } from '../../../ui/Menu/Menu.tsx'
import { useRoving } from '../../../lib/page/roving.ts'
import { toggled } from '../../../ui/Table/Table.tsx'
import { Tag } from '../../../ui/Mark/Pill.tsx'
import { BulkBar, focusRow, Listed, NewButton, Page, useReturnToRow, Question } from '../Page.tsx'
import { useLoaded } from '../loading.ts'
import { useTopic } from '../state.ts'
import { Detail, type DetailHandle } from './Detail.tsx'
import { IntegrationDialog } from './IntegrationDialog.tsx'
import { NewKeyDialog, grouped, KIND_ICONS, titleOf, Square, useAbout } from './Fields.tsx'
import { loadIntegrations, pauseIntegrations, revokeIntegrations } from './commands.ts'
import styles from './Integrations.module.css'

type Props = { readonly onBack?: () => void }

const LIST = loadIntegrations()
const NO_ONE: readonly Integration[] = []
const NOTHING: ReadonlySet<string> = new Set()

type Asking =
  | { readonly what: 'create'; readonly kind: IntegrationKind }
  | { readonly what: 'change'; readonly integration: Integration }
  | { readonly what: 'revoke'; readonly all: readonly Integration[] }
  | { readonly what: 'key'; readonly secret: string }

/** Programs that post, listen or answer in the workspace, and scripts that read it. */
export function IntegrationsPage({ onBack }: Props) {
  const t = useTexts('integrations')
  const workspace = useSession().workspace?.name ?? 'Parlor'
  const single = ['small', 'narrow'].includes(useBreakpoint())
  const loaded = useLoaded(LIST, useTopic('integrations'))
  const rows = grouped(loaded.value ?? NO_ONE)
  const [chosenId, setChosenId] = useState<string>()
  const [selected, setSelected] = useState(NOTHING)
  const [asking, setAsking] = useState<Asking>()
  const detail = useRef<DetailHandle>(null)
  const chosen = rows.find(({ id }) => id === chosenId)
  const open = chosen ?? (single ? undefined : rows[0])
  const level = !single ? 'both' : open === undefined ? 'list' : 'detail'
  const create = <NewMenu onChoose={(kind) => setAsking({ what: 'create', kind })} />
  const toList = useReturnToRow(chosenId, setChosenId)
  return (
    <Page
      icon="plug"
      title={t('title')}
      fact={t('fact', { workspace })}
      onBack={onBack}
      onUp={level === 'detail' ? toList : undefined}
      actions={create}
    >
      <Listed list={{ ...loaded, rows }} empty={{ scene: 'lines', title: t('none.title'), children: t('none.text') }}>
        <div className={cx(styles['levels'], single && styles['single'])}>
          {level === 'detail' ? null : (
            <div className={styles['side']}>
              <IntegrationList
                rows={rows}
                openId={open?.id}
                selected={selected}
                follows={!single}
                onOpen={(id, isKey) => {
                  setChosenId(id)
                  if (isKey) requestAnimationFrame(() => detail.current?.focus())
                }}
                onSelect={setSelected}
                onRevoke={(integration) => setAsking({ what: 'revoke', all: [integration] })}
              />
              <SelectedBar
                rows={rows.filter(({ id }) => selected.has(id))}
                onClear={() => setSelected(NOTHING)}
                onRevoke={(all) => setAsking({ what: 'revoke', all })}
              />
            </div>
          )}
          {open === undefined || level === 'list' ? null : (
            <div role="presentation" className={styles['center']} onKeyDown={single ? undefined : escapeTo(open.id)}>
              <Detail
                key={open.id}
                ref={detail}
                integration={open}
                onChange={() => setAsking({ what: 'change', integration: open })}
                onRevoke={() => setAsking({ what: 'revoke', all: [open] })}
              />
            </div>
          )}
        </div>
      </Listed>
      <Asked
        asking={asking}
        onClose={() => setAsking(undefined)}
        onRevoked={() => setSelected(NOTHING)}
        onMade={(integration, secret) => {
          setChosenId(integration.id)
          setAsking(integration.kind === 'key' ? { what: 'key', secret } : undefined)
        }}
      />
    </Page>
  )
}

/** From the detail to its row in the list; otherwise Escape would leave administration. */
const escapeTo =
  (id: string) =>
  (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.stopPropagation()
    focusRow(id)
  }

/** The four kinds, one sentence each. */
function NewMenu({ onChoose }: { readonly onChoose: (kind: IntegrationKind) => void }) {
  const t = useTexts('integrations')
  const { offline } = useConnection()
  const menu = useMenu({
    label: t('create.open'),
    minWidth: 300,
    items: () =>
      INTEGRATION_KINDS.map((kind) => ({
        id: kind,
        icon: KIND_ICONS[kind],
        label: t(`kinds.${kind}`),
        note: t(`kindNotes.${kind}`),
        disabledReason: offline ? t('offline') : undefined,
        onSelect: () => onChoose(kind),
      })),
  })
  return (
    <>
      <NewButton variant="primary" {...menu.triggerProps}>
        {t('create.open')}
      </NewButton>
      {menu.menu}
    </>
  )
}

type SelectedProps = {
  readonly rows: readonly Integration[]
  readonly onClear: () => void
  readonly onRevoke: (rows: readonly Integration[]) => void
}

function SelectedBar({ rows, onClear, onRevoke }: SelectedProps) {
  const t = useTexts('integrations')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  if (rows.length === 0) return null
  const paused = !rows.every((each) => each.paused)
  const pause = async (): Promise<void> => {
    if (offline) return
    const done = await dispatch(pauseIntegrations({ ids: rows.map(({ id }) => id), paused }))
    if (!done.ok) return
    announce(t(paused ? 'pause.done' : 'resume.done'))
    onClear()
  }
  return (
    <BulkBar count={rows.length} onClear={onClear}>
      <Button size="small" aria-disabled={offline || undefined} onClick={() => void pause()}>
        {t(paused ? 'pause.do' : 'resume.do')}
      </Button>
      <Button size="small" variant="risky" onClick={() => onRevoke(rows)}>
        {t('revoke.open')}
      </Button>
    </BulkBar>
  )
}

type AskedProps = {
  readonly asking: Asking | undefined
  readonly onClose: () => void
  readonly onRevoked: () => void
  readonly onMade: (integration: Integration, secret: string) => void
}

/** The dialog that is open. */
function Asked({ asking, onClose, onRevoked, onMade }: AskedProps) {
  const t = useTexts('integrations')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  switch (asking?.what) {
    case 'create':
      return <IntegrationDialog kind={asking.kind} onClose={onClose} onMade={onMade} />
    case 'change':
      return <IntegrationDialog kind={asking.integration.kind} stored={asking.integration} onClose={onClose} />
    case 'key':
      return <NewKeyDialog secret={asking.secret} onClose={onClose} />
    case 'revoke': {
      const { all } = asking
      const [first] = all
      const one = all.length === 1 && first !== undefined ? first : undefined
      return (
        <Question
          title={one ? t('revoke.title', { name: titleOf(one) }) : t('revoke.titleMany', { count: all.length })}
          texts={[t(`revoke.text.${one?.kind ?? 'many'}`)]}
          confirm={t(`revoke.confirm.${one?.kind ?? 'many'}`)}
          done={one ? t('revoke.done', { name: titleOf(one) }) : t('revoke.doneMany', { count: all.length })}
          blocked={offline ? t('offline') : undefined}
          onConfirm={() => dispatch(revokeIntegrations({ ids: all.map(({ id }) => id) }))}
          onClose={onClose}
          onDone={onRevoked}
        />
      )
    }
    case undefined:
      return null
  }
}

type IntegrationListProps = {
  /** Grouped by kind. */
  readonly rows: readonly Integration[]
  readonly openId: string | undefined
  readonly selected: ReadonlySet<string>
  /** The detail beside it shows the row that has the focus. */
  readonly follows: boolean
  /** `isKey`: the detail gets the focus. */
  readonly onOpen: (id: string, isKey: boolean) => void
  readonly onSelect: (ids: ReadonlySet<string>) => void
  readonly onRevoke: (integration: Integration) => void
}

/** All programs by kind. Arrows move, Enter goes on to the detail, Delete revokes. */
function IntegrationList({ rows, openId, selected, follows, onOpen, onSelect, onRevoke }: IntegrationListProps) {
  const t = useTexts('integrations')
  const roving = useRoving({ ids: rows.map(({ id }) => id), initialId: openId })
  const { ref, ...listeners } = roving.containerProps
  return (
    <div
      ref={(element) => {
        ref.current = element
      }}
      className={styles['list']}
      role="group"
      aria-label={t('title')}
      {...listeners}
    >
      {INTEGRATION_KINDS.filter((kind) => rows.some((each) => each.kind === kind)).map((kind) => (
        <Fragment key={kind}>
          <h2 className={styles['group']}>{t(`groups.${kind}`)}</h2>
          <ul aria-label={t(`groups.${kind}`)} className={styles['rows']}>
            {rows
              .filter((each) => each.kind === kind)
              .map((integration) => {
                const { id } = integration
                return (
                  <Row
                    key={id}
                    integration={integration}
                    isOpen={id === openId}
                    isSelected={selected.has(id)}
                    selecting={selected.size > 0}
                    item={roving.itemProps(id)}
                    onFocus={() => {
                      if (follows && id !== openId) onOpen(id, false)
                    }}
                    onOpen={(isKey) => onOpen(id, isKey)}
                    onToggle={() => onSelect(toggled(selected, id))}
                    onRevoke={() => onRevoke(integration)}
                  />
                )
              })}
          </ul>
        </Fragment>
      ))}
    </div>
  )
}

type RowProps = {
  readonly integration: Integration
  readonly isOpen: boolean
  readonly isSelected: boolean
  readonly selecting: boolean
  readonly item: { readonly tabIndex: 0 | -1; readonly 'data-roving-id': string }
  readonly onFocus: () => void
  readonly onOpen: (isKey: boolean) => void
  readonly onToggle: () => void
  readonly onRevoke: () => void
}

function Row({ integration, isOpen, isSelected, selecting, item, ...on }: RowProps) {
  const t = useTexts('integrations')
  const about = useAbout(integration)
  const name = titleOf(integration)
  const isGone = integration.revokedAt !== undefined
  const pressed = (event: KeyboardEvent): void => {
    if (event.key !== 'Delete' || isGone) return
    event.preventDefault()
    on.onRevoke()
  }
  return (
    <li
      className={cx(styles['row'], isOpen && styles['on'], isGone && styles['gone'], selecting && styles['selecting'])}
    >
      <button
        type="button"
        className={styles['open']}
        aria-current={isOpen ? 'true' : undefined}
        aria-keyshortcuts={isGone ? undefined : 'Delete'}
        {...item}
        onFocus={on.onFocus}
        onKeyDown={pressed}
        // A press of Enter has no clicks.
        onClick={({ detail }) => on.onOpen(detail === 0)}
      >
        <Square of={integration} />
        <span className={styles['names']}>
          <bdi className={cx(styles['name'], 'ellipsis')}>{name}</bdi>
          <span className={cx(styles['about'], 'ellipsis')}>{about}</span>
        </span>
        {integration.fails >= FAILING_AFTER && !isGone ? <Tag tone="danger">{t('failing.tag')}</Tag> : null}
      </button>
      {isGone ? null : (
        <input
          type="checkbox"
          className={styles['tick']}
          aria-label={t('select', { name })}
          checked={isSelected}
          tabIndex={item.tabIndex}
          onChange={on.onToggle}
        />
      )}
    </li>
  )
}
