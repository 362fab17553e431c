import { useMemo, useState } from 'react'
import type { CampaignReplies, CampaignState, ListedCampaign } from '#shared/domain/manage/campaigns.ts'
import { ok } from '#shared/lib/app-error.ts'
import { useMinute, useSecond } from '../../../lib/time/clocks.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { byCursor, useLoaded, usePagesOf } from '../loading.ts'
import { useTopic } from '../state.ts'
import { loadCampaign, loadCampaignReplies, loadCampaigns } from './commands.ts'

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
