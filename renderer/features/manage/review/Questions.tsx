import { useRef } from 'react'
import type { BanTerms, ReviewItem } from '#shared/domain/manage/review.ts'
import { useTexts } from '../../../i18n/index.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Dialog, DialogText } from '../../../ui/Dialog/Dialog.tsx'
import { BanForm, EVERYWHERE, type FilledBan } from '../../people/index.ts'
import { Needs } from '../Page.tsx'
import { useMayManage } from '../state.ts'
import type { Decisions } from './use-decisions.ts'
import { useWords } from './words.ts'

/** What has to be answered before something is decided. */
export function Questions({ decisions: { question, answer, cancel } }: { readonly decisions: Decisions }) {
  if (question === undefined) return null
  const { action, items, shadow } = question
  if (action === 'ban') {
    return <BanDialog items={items} shadow={shadow} onBan={answer} onClose={cancel} />
  }
  return <DeleteDialog count={items.length} onConfirm={() => answer()} onClose={cancel} />
}

type DeleteDialogProps = { readonly count: number; readonly onConfirm: () => void; readonly onClose: () => void }

/** Asks before messages are deleted for good. */
function DeleteDialog({ count, onConfirm, onClose }: DeleteDialogProps) {
  const t = useTexts('review')
  const common = useTexts('common')
  const safe = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      alert
      width={400}
      title={t('foreverDialog.title', { count })}
      initialFocus={safe}
      onClose={onClose}
      actions={
        <>
          <Button ref={safe} onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button variant="danger" onClick={onConfirm}>
            {t('foreverDialog.confirm')}
          </Button>
        </>
      }
    >
      <DialogText>{t('foreverDialog.text', { count })}</DialogText>
    </Dialog>
  )
}

type BanDialogProps = {
  readonly items: readonly Pick<ReviewItem, 'id' | 'authorId' | 'cid'>[]
  readonly shadow: boolean
  readonly onBan: (terms: BanTerms) => void
  readonly onClose: () => void
}

const CHANNEL = 'channel'
const MINUTE_MS = 60_000

/** Bans the authors, each in the channel of the message or all of them in the whole workspace. */
function BanDialog({ items, shadow, onBan, onClose }: BanDialogProps) {
  const t = useTexts('review')
  const texts = useTexts('profile')
  const words = useWords()
  const mayEverywhere = useMayManage('ban-everywhere')
  const hasChannel = items.every(({ cid }) => cid !== undefined)
  const channel = { value: CHANNEL, label: t(items.length === 1 ? 'banDialog.channel' : 'banDialog.channels') }
  const everywhere = { value: EVERYWHERE, label: texts('banDialog.everywhere') }
  return (
    <BanForm
      title={
        items.length === 1
          ? texts('banDialog.titleOne', { name: words.name(items[0]?.authorId) })
          : t('banDialog.titleMany', { count: items.length })
      }
      confirm={(isShadow) => texts(isShadow ? 'banDialog.shadow' : 'banDialog.confirmNobody')}
      places={[...(hasChannel ? [channel] : []), ...(mayEverywhere || !hasChannel ? [everywhere] : [])]}
      placeNote={mayEverywhere ? null : <Needs right="ban-everywhere">{null}</Needs>}
      offersLater={false}
      startsShadow={shadow}
      disabled={!hasChannel && !mayEverywhere}
      onBan={(filled) => onBan(termsOf(filled))}
      onClose={onClose}
    />
  )
}

/** A decision may wait for a connection: its ban has a length instead of an end. */
const termsOf = ({ place, until, reason, shadow, messages }: FilledBan): BanTerms => ({
  scope: place === EVERYWHERE ? 'everywhere' : 'channel',
  minutes: until === undefined ? undefined : Math.max(1, Math.round((until - Date.now()) / MINUTE_MS)),
  reason: reason === '' ? undefined : reason,
  shadow,
  messages,
})
