import type { Step } from '../steps.ts'
import type { StageName } from '../stages.ts'
import { windowScreens } from './windows.ts'
import { managePeopleScreens } from './manage-people.ts'
import { invitationScreens } from './invitations.ts'
import { campaignScreens } from './campaigns.ts'
import { crowdScreens } from './crowds.ts'
import { findingScreens } from './finding.ts'
import { importScreens } from './imports.ts'
import { integrationScreens } from './integrations.ts'
import { moderationScreens } from './moderation.ts'
import { placeScreens } from './places.ts'
import { reflowScreens } from './reflow.ts'
import { reviewScreens } from './review.ts'
import { readingScreens } from './reading.ts'
import { settingsScreens } from './settings.ts'
import { stateScreens } from './states.ts'
import { workspaceScreens } from './workspace.ts'
import { writingScreens } from './writing.ts'

/**
 * One picture: how to get there from the first channel, the window's size when it is not the usual one, and where it is
 * taken when that is not the first start. Screens of one stage and scene follow each other in one run of the app, so a
 * screen finds what the previous one left.
 */
export type Screen = {
  readonly name: string
  readonly go: Step
  readonly size?: readonly [width: number, height: number]
  readonly stage?: StageName
  readonly scene?: string
}

const scened = (scene: string, screens: readonly Screen[]): Screen[] => screens.map((screen) => ({ scene, ...screen }))

export const SCREENS: readonly Screen[] = [
  ...scened('reading', readingScreens),
  ...scened('finding', findingScreens),
  ...scened('writing', writingScreens),
  ...scened('places', placeScreens),
  ...scened('states', stateScreens),
  ...scened('review', reviewScreens),
  ...scened('windows', windowScreens),
  ...scened('sharing', invitationScreens),
  ...scened('settings', settingsScreens),
  ...scened('reflow', reflowScreens),
  ...scened('moderation', moderationScreens),
  ...scened('manage-people', managePeopleScreens),
  ...scened('workspace', workspaceScreens),
  ...scened('campaigns', campaignScreens),
  ...scened('campaigns', crowdScreens),
  ...scened('imports', importScreens),
  ...scened('integrations', integrationScreens),
]
