/** From the reference of the USPTO Open Data Portal, patent file wrapper search. */
import {
  answer,
  anything,
  count,
  items,
  maybe,
  open,
  record,
  records,
  text,
  time,
  words,
  type Returns,
} from '../../catalog/vocabulary/returns.ts'

const names = (description: string) => maybe(items(description, open('A party with its name.')))

export const returns: Returns = {
  patents: answer({
    count: maybe(count('The number of all matches.', 'applications')),
    patentFileWrapperDataBag: maybe(
      records('The applications.', {
        applicationNumberText: maybe(text('The application number without separators.')),
        applicationMetaData: maybe(
          record('Facts about the application.', {
            inventionTitle: maybe(text('The title of the invention.')),
            patentNumber: maybe(text('The number of the patent, once granted.')),
            filingDate: maybe(time('When the application was filed.')),
            effectiveFilingDate: maybe(time('The date that counts as the filing date.')),
            grantDate: maybe(time('When the patent was granted.')),
            earliestPublicationNumber: maybe(text('The number of the first publication.')),
            earliestPublicationDate: maybe(time('The date of the first publication.')),
            applicationTypeCode: maybe(text('The kind of application, such as "UTL" or "DES".')),
            applicationTypeLabelName: maybe(text('The kind of application in words.')),
            applicationStatusCode: maybe(count('The state of the application as a code.')),
            applicationStatusDescriptionText: maybe(text('The state of the application.')),
            applicationStatusDate: maybe(time('When that state began.')),
            firstInventorName: maybe(text('The first inventor.')),
            firstApplicantName: maybe(text('The first applicant.')),
            inventorBag: names('The inventors.'),
            applicantBag: names('The applicants.'),
            cpcClassificationBag: maybe(
              words('The classes in the Cooperative Patent Classification.'),
            ),
            examinerNameText: maybe(text('The examiner.')),
            groupArtUnitNumber: maybe(text('The unit that examines the application.')),
            docketNumber: maybe(text("The applicant's own reference.")),
            customerNumber: maybe(anything('The number of the correspondent.')),
          }),
        ),
        assignmentBag: names('The transfers of rights, with the new owners.'),
        parentContinuityBag: names('Earlier applications that this one continues.'),
        childContinuityBag: names('Later applications that continue this one.'),
        foreignPriorityBag: names('Applications abroad that set the priority date.'),
        correspondenceAddressBag: names('The address for letters.'),
        eventDataBag: maybe(items('The history of the application.', open('An event.'))),
        grantDocumentMetaData: maybe(open('The file of the granted patent.')),
        lastIngestionDateTime: maybe(time('When the source last read the record.')),
      }),
    ),
    requestIdentifier: maybe(text("The source's id of the request.")),
    facets: maybe(anything('Counts by field, if the source adds them.')),
  }),
  assignees: answer({
    organization: text('The name of the call.'),
    count: maybe(count('The number of all matching applications.', 'applications')),
    assignees: records('The owners with a similar name, most patents first.', {
      organization: text('The name as the source writes it.'),
      patents: count('The number of applications on this page with that owner.', 'applications'),
    }),
  }),
}
