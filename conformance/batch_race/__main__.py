from conformance.batch_race.command import main

raise SystemExit(main())
