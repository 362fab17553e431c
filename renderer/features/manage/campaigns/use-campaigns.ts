import { useMemo, useState, useEffect } from 'react'
import type { CampaignReplies, CampaignState, ListedCampaign, CampaignPoll } from '#shared/domain/manage/campaigns.ts'
import { ok, type ErrorBody, type Result } from '#shared/lib/app-error.ts'
import type { SavedFile } from '#shared/domain/export.ts'
import { useMinute, useSecond } from '../../../lib/time/clocks.ts'
import { useAppDispatch, useConnection } from '../../../store/hooks.ts'
import { useRemark, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { byCursor, useLoaded, usePagesOf } from '../loading.ts'
import { useTopic } from '../state.ts'
import { loadCampaign, loadCampaignReplies, loadCampaigns, loadCampaignPoll } from './commands.ts'

type CampaignFilter = { readonly find: string; readonly state?: CampaignState }

/** While something is being sent, it is asked for again this often. */
const TURN_MS = 2_000

/** The campaigns of the server. Nothing announces those of others: they are loaded again every minute. */
export function useCampaigns({ find, state }: CampaignFilter) {
  const dispatch = useAppDispatch()
  const [asOf, setAsOf] = useState<number>()
  const load = useMemo(
    () =>
      byCursor(async (after) => {
        const states = state === undefined ? undefined : [state]
        const loaded = await dispatch(loadCampaigns({ find, states, after }))
        if (!loaded.ok) return loaded
        setAsOf(loaded.value.asOf)
        return ok({ rows: loaded.value.campaigns, next: loaded.value.next })
      }),
    [dispatch, find, state],
  )
  const topic = useTopic('campaigns')
  const minute = useMinute()
  const [running, setRunning] = useState(false)
  const turn = useTurn(running)
  const list = usePagesOf(load, `${state} ${find}`, topic + Math.floor(minute / 60_000) + turn)
  const isRunning = list.rows.some(({ state }) => state === 'in_progress')
  if (isRunning !== running) setRunning(isRunning)
  return { list, asOf }
}

/** One campaign, followed while it is being sent. */
export function useCampaign(id: string) {
  const load = useMemo(() => loadCampaign({ id }), [id])
  const topic = useTopic('campaigns')
  const minute = useMinute()
  const [running, setRunning] = useState(false)
  const turn = useTurn(running)
  // Whoever answers has read it.
  const replies = useTopic('campaign-replies')
  const loaded = useLoaded(load, `${topic} ${replies} ${minute} ${turn}`)
  const isRunning = loaded.value?.campaign.state === 'in_progress'
  if (loaded.value !== undefined && isRunning !== running) setRunning(isRunning)
  return loaded
}

/** What this device knows of the answers to it; counted again when there is another one. */
export function useReplies({ id, state, stats }: ListedCampaign): CampaignReplies | undefined {
  const load = useMemo(() => loadCampaignReplies({ id }), [id])
  const topic = useTopic('campaign-replies')
  const minute = useMinute()
  return useLoaded(load, `${topic} ${minute} ${state} ${stats.messagesSent}`).value?.replies
}

const useTurn = (running: boolean): number => Math.floor(useSecond(() => running) / TURN_MS)

/** Saves a table: says where it is, or why it is not. */
export function useExport(write: () => Promise<Result<{ readonly saved?: SavedFile }, ErrorBody>>) {
  const t = useTexts('campaigns')
  const [working, setWorking] = useState(false)
  const formMessage = useRemark()
  const save = async (): Promise<void> => {
    setWorking(true)
    const done = await write()
    setWorking(false)
    if (!done.ok) return formMessage.refuse(done.error)
    formMessage.clear()
    if (done.value.saved !== undefined) announce(t('exported', { file: done.value.saved.fileName }))
  }
  return { working, text: formMessage.text, save: () => void save() }
}

/** The poll of a message: `gone` where the server has none anymore, absent while it is loaded or cannot be. */
export function usePoll(pollId: string | undefined): CampaignPoll | 'gone' | undefined {
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const [loaded, setLoaded] = useState<{ readonly id: string; readonly poll: CampaignPoll | 'gone' }>()
  useEffect(() => {
    let wanted = true
    const load = async (id: string): Promise<void> => {
      const reply = await dispatch(loadCampaignPoll({ id }))
      if (wanted && reply.ok) setLoaded({ id, poll: reply.value.poll ?? 'gone' })
    }
    if (pollId !== undefined && !offline) void load(pollId)
    return () => {
      wanted = false
    }
  }, [dispatch, pollId, offline])
  return loaded?.id === pollId ? loaded?.poll : undefined
}
