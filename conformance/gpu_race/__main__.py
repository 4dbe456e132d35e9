from conformance.gpu_race.command import main

raise SystemExit(main())
