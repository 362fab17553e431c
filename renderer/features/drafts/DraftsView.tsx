import { useState } from 'react'
import type { Draft } from '#shared/domain/draft.ts'
import { useTexts } from '../../i18n/index.ts'
import { useRoving } from '../../lib/page/roving.ts'
import { useAppDispatch, useAppSelector } from '../../store/hooks.ts'
import { dialogOpened } from '../../store/window/ui.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Empty } from '../../ui/View/Empty.tsx'
import { View } from '../../ui/View/View.tsx'
import { continueDraft, discardDraft, restoreDraft } from './commands.ts'
import { DiscardedRow, DraftRow } from './DraftRow.tsx'
import { Scheduled } from './Scheduled.tsx'
import { selectDrafts, selectScheduled } from '../../store/composers/unsent.ts'
import styles from './Drafts.module.css'

type Props = {
  /** Below 640 px: goes back to the list. */
  readonly onBack?: () => void
}

/** All drafts: place, text, time. A click continues writing there. */
export function DraftsView({ onBack }: Props) {
  const t = useTexts('drafts')
  const common = useTexts('common')
  const dispatch = useAppDispatch()
  return (
    <View
      icon="draft"
      title={t('title')}
      subtitle={t('subtitle')}
      back={onBack && { label: common('back'), onPress: onBack }}
      actions={
        <Button size="small" icon="clock" onClick={() => dispatch(dialogOpened({ kind: 'draft-history' }))}>
          {t('history.open')}
        </Button>
      }
    >
      <Scheduled />
      <DraftList />
    </View>
  )
}

function DraftList() {
  const t = useTexts('drafts')
  const dispatch = useAppDispatch()
  const drafts = useAppSelector(selectDrafts)
  const [discardedDrafts, setDiscarded] = useState<readonly Draft[]>([])
  const rows = withDiscarded(drafts, discardedDrafts)
  const { containerProps, itemProps } = useRoving({ ids: rows.map(({ draft }) => draft.key) })
  const { ref, ...listeners } = containerProps
  const planned = useAppSelector(selectScheduled).length > 0
  if (rows.length === 0) {
    return planned ? null : (
      <Empty scene="lines" title={t('empty')}>
        {t('emptyText')}
      </Empty>
    )
  }
  const discard = async (draft: Draft): Promise<void> => {
    const dropped = await dispatch(discardDraft(draft))
    if (dropped.ok) setDiscarded((before) => [...before, draft])
  }
  const undo = async (draft: Draft): Promise<void> => {
    const restored = await dispatch(restoreDraft(draft))
    if (restored.ok) setDiscarded((before) => before.filter(({ key }) => key !== draft.key))
  }
  return (
    <ul
      ref={(element) => {
        ref.current = element
      }}
      className={styles['list']}
      aria-label={t('list')}
      {...listeners}
    >
      {rows.map(({ draft, discarded }) =>
        discarded ? (
          <DiscardedRow key={draft.key} draft={draft} item={itemProps(draft.key)} onUndo={() => void undo(draft)} />
        ) : (
          <DraftRow
            key={draft.key}
            draft={draft}
            item={itemProps(draft.key)}
            onOpen={() => dispatch(continueDraft(draft))}
            onDiscard={() => void discard(draft)}
          />
        ),
      )}
    </ul>
  )
}

type Row = { readonly draft: Draft; readonly discarded: boolean }

/** A discarded draft stays in the list with an Undo button until the view is left, so that nothing moves under the pointer. */
function withDiscarded(drafts: readonly Draft[], discarded: readonly Draft[]): readonly Row[] {
  const live = new Set(drafts.map(({ key }) => key))
  return [
    ...drafts.map((draft) => ({ draft, discarded: false })),
    ...discarded.filter(({ key }) => !live.has(key)).map((draft) => ({ draft, discarded: true })),
  ].toSorted((a, b) => b.draft.updatedAt - a.draft.updatedAt)
}
