"""What the verifier is made of: rules on text alone, usable without a run, a model or a key.

    citations    every citation of a report leads to something that was retrieved, or it goes
      report_parser (report_blocks, report_markers, reference_list, reference_entries, notation)
      matching     which source an address or key stands for      sanitizer   what is never an honest address
      citation_pass, citation_edits, edits                        one round of decisions, written in one go
      loose_addresses                       addresses in the running text of our own reports
      plain_report, lost_citations, marks   any style in plain markers; sentences left without a citation
    claim_check  does the cited text bear a sentence out
      claims, sentences      the cited sentences of a report      evidence    the passage that says most of it
      quantities, numerals, units   numbers and dates             wording     words, stems, names
      contrasts, superlatives   denials, degree, limits       roles, bindings   who did what, with what
      labelled     who made it or where it is, by the label of a column or line
    removal      sentences taken out, with the items, rows and headings that they leave empty
    conflicts    where sources state different values for one thing

`deep_research.verifier` puts them together.
"""
