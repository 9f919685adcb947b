/**
 * From the OpenAPI document of TrialBase, a merchant, and version 2 of the API of
 * ClinicalTrials.gov, which serves the action while no merchant is paid.
 */
import {
  answer,
  count,
  flag,
  items,
  maybe,
  oneOf,
  open,
  record,
  records,
  text,
  words,
  type Returns,
} from '../../catalog/vocabulary/returns.ts'

const part = (description: string) => maybe(open(description))
const study = {
  protocolSection: maybe(
    record('The plan of the trial, from ClinicalTrials.gov.', {
      identificationModule: maybe(
        record('The names of the trial.', {
          nctId: maybe(text('The NCT number.')),
          briefTitle: maybe(text('The short title.')),
          officialTitle: maybe(text('The full title.')),
          acronym: maybe(text('The short name.')),
          organization: part('The organization that registered the trial.'),
        }),
      ),
      statusModule: maybe(
        record('The state and the dates of the trial.', {
          overallStatus: maybe(
            oneOf('The state of the trial.', [
              'RECRUITING',
              'NOT_YET_RECRUITING',
              'ACTIVE_NOT_RECRUITING',
              'COMPLETED',
              'SUSPENDED',
              'TERMINATED',
              'WITHDRAWN',
              'UNKNOWN',
            ]),
          ),
          startDateStruct: part('The start, with its date.'),
          primaryCompletionDateStruct: part('The end of the main measurement, with its date.'),
          completionDateStruct: part('The end, with its date.'),
          lastUpdatePostDateStruct: part('The latest change of the record, with its date.'),
          whyStopped: maybe(text('Why the trial ended early.')),
        }),
      ),
      sponsorCollaboratorsModule: part('The sponsor and its partners.'),
      descriptionModule: maybe(
        record('The trial in words.', {
          briefSummary: maybe(text('A summary.')),
          detailedDescription: maybe(text('The full description.')),
        }),
      ),
      conditionsModule: maybe(
        record('The illnesses.', {
          conditions: maybe(words('The illnesses that are studied.')),
          keywords: maybe(words('Further search words.')),
        }),
      ),
      designModule: maybe(
        record('The design of the trial.', {
          studyType: maybe(text('The kind of trial, such as "INTERVENTIONAL".')),
          phases: maybe(words('The phases, such as "PHASE3".')),
          designInfo: part('How people are assigned and observed.'),
          enrollmentInfo: part('The number of participants.'),
        }),
      ),
      armsInterventionsModule: part('The groups and their treatments.'),
      outcomesModule: part('What the trial measures.'),
      eligibilityModule: part('Conditions for participants.'),
      contactsLocationsModule: part('The places and the contacts.'),
    }),
  ),
  derivedSection: part('Terms that ClinicalTrials.gov adds.'),
  resultsSection: part('The results, once they are posted.'),
  documentSection: part('Files of the trial.'),
  hasResults: maybe(flag('Whether results are posted.')),
}

export const returns: Returns = {
  search: answer({
    data: maybe(
      items("The trials, from the merchant. Fields are the merchant's.", open('A trial.')),
    ),
    next_cursor: maybe(text('The position after these trials, from the merchant.')),
    totalCount: maybe(count('The number of all matches, from ClinicalTrials.gov.', 'trials')),
    studies: maybe(records('The trials, from ClinicalTrials.gov.', study)),
    nextPageToken: maybe(text('The position after these trials, from ClinicalTrials.gov.')),
  }),
  get: answer({
    data: maybe(open('The trial, from the merchant.')),
    ...study,
  }),
}
